/**
 * Calls methods on users, groups, projects and keys: through the daemon or, if none runs, on the database in the home.
 */

import type { Params, Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';

type IdentityMethod =
  | 'whoami'
  | `keys.${'add' | 'list' | 'remove' | 'rotate'}`
  | `users.${'add' | 'disable' | 'grant' | 'list' | 'remove'}`
  | `projects.${'add' | 'list' | 'remove' | 'setEmail'}`
  | `groups.${'add' | 'grant' | 'list' | 'remove' | 'setMember'}`;

export async function callIdentity<M extends IdentityMethod>(
  context: Context,
  method: M,
  params: Params<M>,
): Promise<Result<M>> {
  const daemon = await context.connectIfRunning();
  if (daemon) return daemon.call(method, params).finally(() => daemon.close());
  const { withOfflineIdentity } = await import('../../../../daemon/offline-identity.ts');
  const place = { home: await context.home(), clock: context.io.clock };
  return withOfflineIdentity(place, (handlers) => handlers[method](params));
}
