/** Removes a bucket setting. Reads it first, since the DELETE also succeeds for a setting that does not exist. */

import { isControlError } from '../../../control/control-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';

export interface Setting {
  readonly bucket: string;
  /** Name for messages: `CORS rules`. */
  readonly name: string;
  /** S3 error code of a read if the setting does not exist: `NoSuchCORSConfiguration`. */
  readonly absent: string;
  readonly read: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/**
 * Returns false if the setting does not exist, true after its removal. Also removes a setting that the caller may not
 * read, without a check that it exists.
 */
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
