/** Checks and repairs the embedded store while no daemon is running, with the handlers of the daemon. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { storeFolder } from '../../src/config/home.ts';
import type { Home } from '../../src/config/home.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { checkClosedStore } from '../../src/engine/maintenance/closed-store.ts';
import { salvageStore } from '../../src/engine/maintenance/salvage/salvage-store.ts';
import { openStore } from '../compose/compose-store.ts';
import {
  checkResult,
  storeHandlers,
  type StoreHandlers,
  type ReportProgress,
} from '../handlers/store/store.ts';
import { commandErrorOf } from '../control/wire-error.ts';

export interface OfflineStore {
  readonly home: Home;
  /** The folder of the store. Default: the store of the home folder. */
  readonly folder?: string | undefined;
  readonly clock: Clock;
  /** Whether to accept a database that was replaced, for example by an older copy. */
  readonly acceptMetadata: boolean;
  readonly report: ReportProgress;
}

/** Returns handlers that throw the daemon's ControlErrors. A check reads the files without opening the store. */
export function offlineStore(options: OfflineStore): StoreHandlers {
  const { report } = options;
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
        const onProgress = (progress: Parameters<ReportProgress>[1]) => report(id, progress);
        return checkResult(await checkClosedStore(folderOf(options), { deep, onProgress, signal }));
      }),
  };
}

function withEngine<T>(
  options: OfflineStore,
  use: (handlers: StoreHandlers) => Promise<T>,
): Promise<T> {
  const { home, clock, acceptMetadata, report } = options;
  return translated(async () => {
    const config = await loadConfig(home);
    const dir = folderOf(options);
    const engine = await openStore({ dir, config, clock, logger: silentLogger, acceptMetadata });
    try {
      return await use(storeHandlers(engine.upkeep, report));
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

/**
 * Returns the folder of the store. Throws ControlError `NotFound` if the folder contains no store. Without this
 * check, a new store would be created there.
 */
function folderOf({ home, folder = storeFolder(home) }: OfflineStore): string {
  const files = ['store.sqlite', 'lock.sqlite', 'blobs'];
  if (files.some((name) => existsSync(join(folder, name)))) return folder;
  throw new ControlError('NotFound', `cannot open store ${folder}: it does not exist`, {
    hint: 'Holdfast creates the embedded store when it starts: holdfast up FOLDER',
  });
}
