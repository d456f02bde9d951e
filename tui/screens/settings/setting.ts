/** One setting of a bucket. */

import { defined } from '../../../src/base/defined.ts';
import { isControlError } from '../../../src/control/control-error.ts';
import type { Ui } from '../../ui/ui.ts';
import { asked } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';

export interface SettingContext {
  readonly ui: Ui;
  readonly place: BucketPlace;
  /** Called after a change to load the setting again. */
  readonly changed: () => void;
}

export interface Setting {
  readonly name: string;
  /** A short text, not yet escaped. Rejects if it cannot be read. */
  readonly read: (at: SettingContext, signal: AbortSignal) => Promise<string>;
  readonly edit: (at: SettingContext) => void | Promise<void>;
  /** True if only the embedded store has the setting. */
  readonly isLocal?: boolean;
}

export const NONE = 'none';

/** Returns undefined if the setting was never configured, which the service reports as an error. */
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
