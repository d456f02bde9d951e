/**
 * Opens a store and a job in the current process, so that the benchmark can observe the job's
 * requests.
 */

import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { openMirror } from '../../src/mirror/open-mirror.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { BENCH_KEY } from './credentials.ts';

export interface OwnStore {
  readonly store: ObjectStore;
  /** Opens a job for the folder `root`. The caller may pass a wrapper around the store. */
  readonly open: (root: string, store: MirrorStore) => Promise<Mirror>;
  readonly close: () => Promise<void>;
}

/** Creates a store in `folder` with the bucket `name`, which has Object Lock. */
export async function openOwnStore(folder: string, name: string): Promise<OwnStore> {
  const shared = { clock: systemClock, logger: silentLogger };
  const dir = join(folder, `${name}-store`);
  const engine = await openEngine({ dir, region: 'us-east-1', ...shared });
  const store = engine.as(internalCaller(BENCH_KEY.principal, systemClock.now()));
  await store.createBucket({ bucket: name, objectLockEnabled: true });
  const job = {
    id: name,
    name,
    bucket: name,
    prefix: '',
    exclude: [],
    conflict: 'keep-both',
    drift: 'report',
    rescanMinutes: 60,
    unguarded: false,
    conflictWindowDays: 30,
  } as const;
  return {
    store,
    open: (root, wrapped) =>
      openMirror({
        job: { ...job, root },
        store: wrapped,
        stateDir: join(folder, `${name}-state`),
        protectedFolders: [],
        hostId: 'bench',
        onChange: () => undefined,
        onActivity: () => undefined,
        ...shared,
      }),
    close: () => engine.close(),
  };
}
