/** Implements the control method that reloads `config.yaml`. */

import type { Reloaded } from '../../settings/settings.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';

type Reload = () => Promise<Reloaded & { readonly warnings: readonly string[] }>;

export function configHandlers(reload: Reload): Pick<ControlHandlers, 'config.reload'> {
  return {
    'config.reload': async () => {
      const { diff, jobs, warnings } = await reload();
      return { diff: [...diff], jobs: [...jobs], warnings: [...warnings] };
    },
  };
}
