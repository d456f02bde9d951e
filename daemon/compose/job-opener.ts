/** Opens the mirrors of jobs with the resources that jobs share: folder trees, priorities and run conditions. */

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import type { Config } from '../../src/config/config.ts';
import type { Home } from '../../src/config/home.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { ROOM_FOR_RESERVE } from '../../src/engine/writes/reserve.ts';
import { FreeSpace, defaultMinFree } from '../../src/mirror/limits/free-space.ts';
import { JobPriorities } from '../../src/mirror/limits/job-priority.ts';
import { LinuxMachine } from '../../src/mirror/limits/machine.ts';
import { FolderTrees } from '../../src/mirror/local/tree/folder-trees.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { openMirror } from '../../src/mirror/open-mirror.ts';
import { prepareJobState } from '../state/job-state.ts';
import type { AreaLogger } from '../log/log.ts';
import type { JobHooks, OpenedJob } from '../services/rooms.ts';
import { VERSION } from '../version.ts';

interface JobOpenerOptions {
  readonly home: Home;
  readonly config: Config;
  /** The folder of the embedded store. */
  readonly storeDir: string;
  readonly engine: Pick<Engine, 'damage'>;
  readonly hostId: string;
  readonly clock: Clock;
  readonly logger: AreaLogger;
}

export class JobOpener {
  readonly #options: JobOpenerOptions;
  readonly #machine: LinuxMachine;
  readonly #priorities: JobPriorities;
  readonly #trees = new FolderTrees();

  constructor(options: JobOpenerOptions) {
    this.#options = options;
    this.#machine = new LinuxMachine(options.clock);
    this.#priorities = new JobPriorities(options.clock);
  }

  async open(
    { config: entry, target, service, store, ...checks }: OpenedJob,
    hooks: JobHooks,
  ): Promise<Mirror> {
    const { home, config, storeDir, engine, hostId, clock, logger } = this.#options;
    const job = { ...entry, id: entry.name, root: entry.folder };
    const place = { protectedFolders: home.ownFolders, clock, logger: logger.area('mirror') };
    const stateDir = await prepareJobState(home.stateDir, entry, target);
    return openMirror({
      job,
      store,
      isRemote: target !== undefined,
      machine: this.#machine,
      turns: this.#priorities.at(service),
      ...checks,
      ...defined({
        freeSpace: target === undefined ? freeSpaceOf(storeDir, config) : undefined,
        damage: target === undefined ? engine.damage : undefined,
        // A job with `oneFileSystem` keeps a separate record of mount points, so it cannot share a folder tree.
        tree: job.oneFileSystem ? this.#trees.of({ ...place, job }) : undefined,
        overflows: this.#trees.overflows,
      }),
      release: VERSION,
      stateDir,
      hostId,
      ...place,
      ...hooks,
    });
  }
}

/** Returns the free-space limit for a job that backs up to the embedded store. */
function freeSpaceOf(folder: string, { storage }: Config): FreeSpace {
  return new FreeSpace({ folder, minFreeBytes: storage.minFree ?? minFreeOf(folder) });
}

/**
 * Returns the default free-space limit in bytes. It is at least the space that a full store needs before it accepts
 * writes again.
 */
function minFreeOf(folder: string): number {
  return Math.max(defaultMinFree(folder), ROOM_FOR_RESERVE);
}
