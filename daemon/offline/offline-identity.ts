/** Administers users, projects and keys while no daemon is running, with the handlers of the daemon. */

import { existsSync } from 'node:fs';

import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { UserNames } from '../../src/base/principal.ts';
import { storeFolder } from '../../src/config/home.ts';
import type { Home } from '../../src/config/home.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { firstUser } from '../../src/identity/sqlite-identity.ts';
import {
  bucketsOfUser,
  identityFile,
  openIdentity,
  openStore,
  ownUser,
} from '../compose/compose-store.ts';
import { identityHandlers, type IdentityHandlers } from '../handlers/identity/identity.ts';
import { commandErrorOf } from '../control/wire-error.ts';

interface OfflinePlace {
  readonly home: Home;
  readonly clock: Clock;
}

/**
 * Calls `use` with the daemon's handlers, which use the home folder's identity database. Throws the same ControlErrors
 * as the daemon. If a daemon has started in the meantime, throws `Conflict` for a change.
 */
export async function withOfflineIdentity<T>(
  place: OfflinePlace,
  use: (handlers: IdentityHandlers) => Promise<T>,
): Promise<T> {
  const { home, clock } = place;
  const file = identityFile(home);
  if (!existsSync(file)) {
    throw new ControlError('NotFound', `cannot open ${file}: no users and keys exist yet`, {
      hint: 'Holdfast creates the first user when it starts: holdfast up FOLDER',
    });
  }
  const identity = openIdentity(home, clock);
  try {
    const handlers = identityHandlers({
      identity,
      own: firstUser(ownUser()),
      bucketsOf: (user) => offlineBuckets(place, user),
      service: async () => ({ region: (await loadConfig(home)).region }),
    });
    return await use(handlers);
  } catch (error) {
    throw commandErrorOf(error);
  } finally {
    identity.close();
  }
}

/** Returns the buckets of a user before the user is removed. Opens the store only for this call. */
async function offlineBuckets(
  { home, clock }: OfflinePlace,
  user: UserNames,
): Promise<readonly string[]> {
  const dir = storeFolder(home);
  if (!existsSync(dir)) return [];
  const config = await loadConfig(home);
  const options = { dir, config, clock, logger: silentLogger, acceptMetadata: false };
  const engine = await openStore(options);
  try {
    return await bucketsOfUser(engine, user, clock);
  } finally {
    await engine.close();
  }
}
