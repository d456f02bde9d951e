/** The embedded store while no daemon runs: the same methods, on its folder. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Clock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import type { Home } from '../src/config/home.ts';
import { loadConfig } from '../src/config/load.ts';
import { ControlError } from '../src/control/control-error.ts';
import { checkClosedStore } from '../src/engine/maintenance/closed-store.ts';
import { salvageStore } from '../src/engine/maintenance/salvage/salvage-store.ts';
import { openStore, storeFolder } from './compose.ts';
import {
  checkResult,
  storeHandlers,
  type StoreHandlers,
  type TellProgress,
} from './handlers/store.ts';
import { commandErrorOf } from './wire-error.ts';

export interface OfflineStore {
  readonly home: Home;
  /** A store's folder, where it is not that of the home. */
  readonly folder?: string | undefined;
  readonly clock: Clock;
  /** Takes a database for the right one that was exchanged. */
  readonly acceptMetadata: boolean;
  readonly tell: TellProgress;
}

/** Throws ControlError, as the daemon would tell it. A check does not even open the store. */
export function offlineStore(options: OfflineStore): StoreHandlers {
  const { tell } = options;
  const open: StoreHandlers = {
    'store.check': (params, context) =>
      withEngine(options, (all) => all['store.check'](params, context)),
    'store.repair': async (params, context) => {
      const salvaged = await translated(async () =>
        salvageStore(folderOf(options), options.clock.now()),
      );
      const repair = await withEngine(options, (all) => all['store.repair'](params, context));
      return { ...repair, done: [...salvaged, ...repair.done] };
    },
    'store.trustClock': (params, context) =>
      withEngine(options, (all) => all['store.trustClock'](params, context)),
  };
  return {
    ...open,
    'store.check': ({ deep, id }, { signal }) =>
      translated(async () => {
        const onProgress = (progress: Parameters<TellProgress>[1]) => tell(id, progress);
        return checkResult(await checkClosedStore(folderOf(options), { deep, onProgress, signal }));
      }),
  };
}

function withEngine<T>(
  options: OfflineStore,
  use: (handlers: StoreHandlers) => Promise<T>,
): Promise<T> {
  const { home, clock, acceptMetadata, tell } = options;
  return translated(async () => {
    const config = await loadConfig(home);
    const dir = folderOf(options);
    const engine = await openStore({ dir, config, clock, logger: silentLogger, acceptMetadata });
    try {
      return await use(storeHandlers(engine.upkeep, tell));
    } finally {
      await engine.close();
    }
  });
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw commandErrorOf(error);
  }
}

/** A check or a repair makes no store where there is none. */
function folderOf({ home, folder = storeFolder(home) }: OfflineStore): string {
  const files = ['store.sqlite', 'lock.sqlite', 'blobs'];
  if (files.some((name) => existsSync(join(folder, name)))) return folder;
  throw new ControlError('NotFound', `open store ${folder}: there is none`, {
    hint: 'the embedded store is made when Holdfast starts: holdfast up FOLDER',
  });
}
