/**
 * Calls methods for users, groups, projects and keys. If a daemon is running, calls the daemon. Otherwise uses the
 * database in the home folder.
 */

import type { MethodName, Params, Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';

type IdentityMethod = Extract<
  MethodName,
  'whoami' | `keys.${string}` | `users.${string}` | `projects.${string}` | `groups.${string}`
>;

export function isIdentityMethod(method: MethodName): method is IdentityMethod {
  return /^(?:whoami$|keys\.|users\.|projects\.|groups\.)/.test(method);
}

export async function callIdentity<M extends IdentityMethod>(
  context: Context,
  method: M,
  params: Params<M>,
): Promise<Result<M>> {
  const daemon = await context.connectIfRunning();
  if (daemon) return daemon.call(method, params).finally(() => daemon.close());
  const { withOfflineIdentity } = await import('../../../../daemon/offline/offline-identity.ts');
  const place = { home: await context.home(), clock: context.io.clock };
  return withOfflineIdentity(place, (handlers) => handlers[method](params));
}
