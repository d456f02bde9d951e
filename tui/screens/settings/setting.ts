/** Defines what each bucket setting implements: how its value is read as a text, and how it is edited. */

import { defined } from '../../../src/base/defined.ts';
import { isControlError } from '../../../src/control/control-error.ts';
import type { Ui } from '../../ui/ui.ts';
import { asked } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';

export interface SettingContext {
  readonly ui: Ui;
  readonly place: BucketPlace;
  /** Called after a change, to load the setting again. */
  readonly changed: () => void;
}

export interface Setting {
  readonly name: string;
  /**
   * Returns the setting's value as a short text. The text must be escaped before it is drawn.
   * Rejects if the setting cannot be read.
   */
  readonly read: (at: SettingContext, signal: AbortSignal) => Promise<string>;
  readonly edit: (at: SettingContext) => void | Promise<void>;
  /** Whether only the embedded store has this setting. */
  readonly isLocal?: boolean;
}

export const NONE = 'none';

/**
 * Waits for a setting. Resolves with undefined if it was never configured, which the service reports as an error.
 */
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
