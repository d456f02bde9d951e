/**
 * Implements the control methods for targets. A method that changes the configuration edits `config.yaml`, and the
 * daemon applies the difference.
 */

import { defined } from '../../../src/base/defined.ts';
import { parseStorageId } from '../../../src/base/principal.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import { storeTarget } from '../../settings/add-target.ts';
import { forgetTarget } from '../../settings/remove-target.ts';
import { renameTarget } from '../../settings/rename-target.ts';
import type { Rooms } from '../../services/rooms.ts';
import type { Settings } from '../../settings/settings.ts';

type TargetMethod =
  | 'targets.add'
  | 'targets.list'
  | 'targets.remove'
  | 'targets.rename'
  | 'targets.whoami';

export type TargetHandlers = {
  readonly [M in TargetMethod]: (params: Params<M>) => Promise<Result<M>>;
};

interface TargetHandlerOptions {
  readonly rooms: Pick<Rooms, 'checkTarget' | 'protocolOf' | 'whoIsAt'>;
  readonly settings: Settings;
}

export function targetHandlers({ rooms, settings }: TargetHandlerOptions): TargetHandlers {
  return {
    'targets.add': ({ accessKeyId, secretAccessKey, bucket, prefix = '', ...spec }) =>
      storeTarget(spec, {
        key: { accessKeyId, secretAccessKey },
        ...(bucket !== undefined && { place: { bucket, prefix } }),
        rooms,
        settings,
      }),
    'targets.list': async () => {
      const config = settings.current();
      const targets = config.targets.map((target) => {
        const { name, endpoint, region } = target;
        const protocol = rooms.protocolOf(target);
        const own = config.jobs.filter((job) => job.target === name);
        return defined({ name, endpoint, region, protocol, jobs: own.map((job) => job.name) });
      });
      return { targets };
    },
    'targets.remove': async ({ name }) => defined({ keyFile: await forgetTarget(settings, name) }),
    'targets.rename': ({ name, newName }) => renameTarget(settings, name, newName),
    'targets.whoami': async ({ name }) => {
      const target = settings.target(name);
      if (!target)
        throw new ControlError('BadRequest', `cannot test ${name}: it is the embedded store`);
      const { endpoint, region } = target;
      const { accessKeyId, owner } = await rooms.whoIsAt(target);
      const protocol = rooms.protocolOf(target);
      const names = parseStorageId(owner ?? accessKeyId);
      return defined({ name, endpoint, region, protocol, accessKeyId, owner, ...names });
    },
  };
}
