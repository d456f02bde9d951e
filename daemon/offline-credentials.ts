/** Access keys while no daemon runs: the same methods, on the home's own file. */

import { existsSync } from 'node:fs';

import type { Clock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import type { Home } from '../src/config/home.ts';
import { ControlError } from '../src/control/control-error.ts';
import { FIRST_PROJECT } from '../src/identity/sqlite-identity.ts';
import { identityFile, openIdentity, ownUser } from './compose.ts';
import { keyHandlers } from './handlers/credentials.ts';
import type { KeyHandlers } from './handlers/credentials.ts';
import { controlErrorOf } from './wire-error.ts';

/** Throws ControlError, as the daemon would tell it. A daemon that starts meanwhile sees what is changed here. */
export async function withOfflineKeys<T>(
  { home, clock }: { readonly home: Home; readonly clock: Clock },
  use: (handlers: KeyHandlers) => Promise<T>,
): Promise<T> {
  const file = identityFile(home);
  if (!existsSync(file)) {
    throw new ControlError('NotFound', `open ${file}: there are no keys yet`, {
      hint: 'the first is made when Holdfast starts: holdfast up FOLDER',
    });
  }
  const identity = openIdentity(home, clock);
  try {
    return await use(keyHandlers(identity, { ...ownUser(), project: FIRST_PROJECT }));
  } catch (error) {
    throw controlErrorOf(error, silentLogger);
  } finally {
    identity.close();
  }
}
