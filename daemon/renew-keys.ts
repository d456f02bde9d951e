/** A key that a service refuses may have been rotated: it is read again where it lies, and jobs take up another one. */

import type { Clock } from '../src/base/clock.ts';
import { errorMessage } from '../src/base/errors.ts';
import type { Logger } from '../src/base/logger.ts';
import type { Rooms } from './rooms.ts';
import type { Settings } from './settings.ts';

/** A hundred refused uploads are one reason to look; and nobody is asked for a password more often. */
const LEAST_BETWEEN_MS = 10_000;

export interface RenewKeysOptions {
  readonly rooms: Pick<Rooms, 'onKeyRefused'>;
  readonly settings: Pick<Settings, 'apply'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function renewRefusedKeys({ rooms, settings, clock, logger }: RenewKeysOptions): void {
  let lookedAt = -Infinity;
  rooms.onKeyRefused(() => {
    if (clock.monotonic() - lookedAt < LEAST_BETWEEN_MS) return;
    lookedAt = clock.monotonic();
    settings.apply().then(
      (jobs) => {
        if (jobs.length > 0) logger.info({ jobs }, 'keys of targets: another one is used');
      },
      (error: unknown) => {
        logger.error({ error: errorMessage(error) }, 'keys of targets: not read again');
      },
    );
  });
}
