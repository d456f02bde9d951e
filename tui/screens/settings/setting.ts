/** One thing that is set for a bucket as a whole. */

import { defined } from '../../../src/base/defined.ts';
import { isControlError } from '../../../src/control/control-error.ts';
import type { Ui } from '../../ui/ui.ts';
import { asked } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';

export interface SettingContext {
  readonly ui: Ui;
  readonly place: BucketPlace;
  /** It was changed: read it again. */
  readonly changed: () => void;
}

export interface Setting {
  readonly name: string;
  /** A short text, not yet escaped. Rejects if it cannot be read. */
  readonly read: (at: SettingContext, signal: AbortSignal) => Promise<string>;
  readonly edit: (at: SettingContext) => void | Promise<void>;
  /** Only the embedded store has it. */
  readonly isLocal?: boolean;
}

export const NONE = 'none';

/** A setting that was never set is not an error. */
export async function unlessUnset<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isControlError(error, 'Storage') && UNSET.test(error.storageCode ?? '')) return undefined;
    throw error;
  }
}

const UNSET = /^NoSuch(?!Bucket$|Key$)|ConfigurationNotFound/;

export const bucketAt = ({ place }: SettingContext) => defined(asked(place));
