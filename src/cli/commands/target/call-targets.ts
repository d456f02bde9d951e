/** Calls methods for targets. If a daemon is running, calls the daemon. Otherwise reads and edits `config.yaml`. */

import type { MethodName, Params, Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';

type TargetMethod = Extract<
  MethodName,
  'targets.add' | 'targets.list' | 'targets.remove' | 'targets.rename'
>;

export async function callTargets<M extends TargetMethod>(
  context: Context,
  method: M,
  params: Params<M>,
): Promise<Result<M>> {
  const daemon = await context.connectIfRunning();
  if (daemon) return daemon.call(method, params).finally(() => daemon.close());
  const { withOfflineTargets } = await import('../../../../daemon/offline/offline-targets.ts');
  const place = { home: await context.home(), clock: context.io.clock };
  return withOfflineTargets(place, (handlers) => handlers[method](params));
}
