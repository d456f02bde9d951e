/** Opens an engine in a temporary folder, and closes it after the test. */

import { onTestFinished } from 'vitest';

import type { Quotas } from '../../src/object-store/rules/quota.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import type { UpkeepSettings } from '../../src/engine/maintenance/settings.ts';
import type { ReadUptime } from '../../src/engine/clock/uptime.ts';
import type { Faults } from '../../src/engine/disk/faults.ts';
import { type Body, collect } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { HeadObjectRequest, ObjectStore } from '../../src/object-store/object-store.ts';
import { FakeClock } from './fake-clock.ts';
import { prepareStore } from './prepared-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const TEST_USER: UserPrincipal = {
  kind: 'user',
  project: 'project',
  user: 'user',
  customer: 'customer',
  fullAccess: true,
};

/** The minimum size of a part in bytes, except of the last part. A part of this size is stored in a file. */
export const MIN_PART_BYTES = 512 * 1024;

export interface TestEngine {
  readonly dir: string;
  readonly clock: FakeClock;
  readonly engine: Engine;
  readonly store: ObjectStore;
}

export interface TestEngineOptions {
  readonly dir?: string;
  readonly faults?: Faults;
  readonly quotas?: Partial<Quotas>;
  readonly passive?: boolean;
  readonly acceptMetadata?: boolean;
  readonly upkeep?: Partial<UpkeepSettings>;
  readonly clock?: FakeClock;
  readonly uptime?: ReadUptime;
}

export async function openTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const { dir = newStore(options), clock = new FakeClock(), quotas, ...others } = options;
  const engine = await openEngine({
    dir,
    clock,
    logger: silentLogger,
    region: 'us-east-1',
    quotas: { minBytesPerPart: MIN_PART_BYTES, ...quotas },
    ...others,
  });
  let open = true;
  const close = async () => {
    if (open) await engine.close();
    open = false;
  };
  onTestFinished(close);
  const sweep = () => engine.sweep();
  const as: Engine['as'] = (caller) => engine.as(caller);
  const watched: Engine['watched'] = (caller) => engine.watched(caller);
  const accessOf: Engine['accessOf'] = (caller) => engine.accessOf(caller);
  const explainAccess: Engine['explainAccess'] = (inquiry) => engine.explainAccess(inquiry);
  const store = engine.as(internalCaller(TEST_USER, clock.now()));
  const { upkeep, damage, metrics, browserConfig, lifecycle } = engine;
  const waitingWrites = () => engine.waitingWrites();
  const bucketId: Engine['bucketId'] = (bucket) => engine.bucketId(bucket);
  return {
    dir,
    clock,
    store,
    engine: {
      as,
      watched,
      accessOf,
      explainAccess,
      sweep,
      close,
      upkeep,
      damage,
      metrics,
      waitingWrites,
      browserConfig,
      bucketId,
      lifecycle,
      quotas: engine.quotas,
    },
  };
}

/** Creates the folder of a new store. Tests of faults also test the migrations. */
function newStore({ faults }: TestEngineOptions): string {
  const dir = temporaryFolder('engine');
  if (!faults) prepareStore(dir);
  return dir;
}

/** Returns pseudo-random bytes. The same seed gives the same bytes. */
export function patternBytes(sizeBytes: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  let state = seed;
  for (let index = 0; index < sizeBytes; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** Returns a request body of unknown length. It is streamed in chunks of `chunkBytes` bytes. */
export function chunkedBody(bytes: Uint8Array, chunkBytes = 10_007): Body {
  return {
    replayable: true,
    async *open() {
      for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
        yield bytes.subarray(at, at + chunkBytes);
      }
    },
  };
}

export async function readBytes(store: ObjectStore, request: HeadObjectRequest): Promise<Buffer> {
  const { body } = await store.getObject(request);
  return Buffer.from(await collect(body, 2 ** 31));
}
