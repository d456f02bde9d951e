/** Reads the access keys of targets again after a service has rejected one, because the key may have been rotated. */

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Rooms } from '../services/rooms.ts';
import type { Settings } from './settings.ts';

/**
 * The minimum time between two reads. Many uploads may be rejected at once, and a credentials program may prompt the
 * user.
 */
const LEAST_BETWEEN_MS = 10_000;

export interface RenewKeysOptions {
  readonly rooms: Pick<Rooms, 'onKeyRefused'>;
  readonly settings: Pick<Settings, 'apply'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function renewRefusedKeys({ rooms, settings, clock, logger }: RenewKeysOptions): void {
  let renewedAt = -Infinity;
  rooms.onKeyRefused(() => {
    if (clock.monotonic() - renewedAt < LEAST_BETWEEN_MS) return;
    renewedAt = clock.monotonic();
    settings.apply().then(
      (jobs) => {
        if (jobs.length > 0) logger.info({ jobs }, 'target keys: jobs use a new key');
      },
      (error: unknown) => {
        logger.error({ error: errorMessage(error) }, 'target keys: cannot read them again');
      },
    );
  });
}
