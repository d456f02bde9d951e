/** Runs the contract tests of `ObjectStore` on the storage engine in the process of the tests. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { bulkStore } from '../helpers/bulk-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { COLLEAGUE, OWNER, PEOPLE, STRANGER } from './object-store/people.ts';
import { MIN_PART_BYTES, type OpenStore } from './object-store/subject.ts';
import { testObjectStore, testPuts } from './object-store.ts';

const REGION = 'us-east-1';
/** More buckets than the tests create. */
const MAX_BUCKETS = 10_000;

async function openEngineStore(dir: string, clock: FakeClock): Promise<OpenStore> {
  const engine = await openEngine({
    dir,
    clock,
    logger: silentLogger,
    region: REGION,
    quotas: { bucketsPerProject: MAX_BUCKETS, minBytesPerPart: MIN_PART_BYTES },
    // The uptime of the machine would contradict the fake clock, so the engine does not get it.
    uptime: () => undefined,
  });
  return {
    people: PEOPLE,
    store: engine.as(internalCaller(OWNER, clock.now())),
    colleague: engine.as(internalCaller(COLLEAGUE, clock.now())),
    stranger: engine.as(internalCaller(STRANGER, clock.now())),
    watched: () => engine.watched(internalCaller(OWNER, clock.now())),
    clock,
    isTemporary: true,
    reopen: async () => {
      await engine.close();
      return openEngineStore(dir, clock);
    },
    close: async () => {
      await engine.close();
      await rm(dir, { recursive: true });
    },
  };
}

async function openNewStore(): Promise<OpenStore> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-engine-'));
  return openEngineStore(dir, new FakeClock());
}

/** Puts small objects through the bulk writer, so that the same tests cover single and bulk puts. */
function inBulk(opened: OpenStore): OpenStore {
  const { store, colleague, stranger } = opened;
  return {
    ...opened,
    store: bulkStore(store),
    ...(colleague && { colleague: bulkStore(colleague) }),
    ...(stranger && { stranger: bulkStore(stranger) }),
    ...(opened.reopen && { reopen: async () => inBulk(await (opened.reopen?.() ?? opened)) }),
  };
}

const OPTIONS = { region: REGION, hasBulkWriter: true };
testObjectStore('the engine in process', openNewStore, OPTIONS);
testPuts('the engine in process with bulk writes', async () => inBulk(await openNewStore()));
