/** Removal of a setting that a bucket has or has not: a DELETE of it succeeds in both cases. */

import { isControlError } from '../../../control/control-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';

export interface Setting {
  readonly bucket: string;
  /** `policy` */
  readonly name: string;
  /** Of the error of a GET where it was never set. */
  readonly absent: string;
  readonly read: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/** Returns whether it may have been set, and is removed. A caller that may not read it may remove it all the same. */
export async function removeSetting(context: Context, setting: Setting): Promise<boolean> {
  const { bucket, name, absent, read, remove } = setting;
  try {
    await read();
  } catch (error) {
    if (!isControlError(error, 'Storage')) throw error;
    if (error.storageCode === absent) {
      if (context.json) await context.out.json({});
      else await context.out.lines(visible(`nothing to remove: bucket ${bucket} has no ${name}`));
      return false;
    }
    if (error.storageCode !== 'AccessDenied') throw error;
  }
  await remove();
  if (context.json) await context.out.json({});
  return true;
}
