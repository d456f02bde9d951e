/** Defines the dependencies that the lock renewal functions share. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Tracker } from '../mirror/model/tracker.ts';
import type { Destination } from '../mirror/objects/destination.ts';
import type { LockSettingsOf } from '../mirror/objects/lock-rules.ts';
import type { StateFile } from '../mirror/state/state-file.ts';

export interface RenewalContext {
  readonly destination: Destination;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracker: Tracker;
  readonly settingsOf: LockSettingsOf;
}
