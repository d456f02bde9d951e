/** Measures whether a lifecycle run over very many versions delays the event loop and the writes of other clients. */

import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { BENCH_KEY } from './credentials.ts';
import { load } from './load.ts';
import { keyOf } from './names.ts';
import { limited, percentile, row } from './row.ts';
import type { Row } from './row.ts';

const BUCKET = 'lifecycle';
const VERSIONS_PER_KEY = 10;
/**
 * The number of noncurrent versions that the rule retains. Each key has nine, so the run removes one version of each
 * key.
 */
const KEPT = 8;
const LOADED_AT_A_TIME = 512;
const DAY_MS = 24 * 3600 * 1000;
const TIMER_MS = 10;
const MAX_DELAY_MS = 50;
const PAGE_CHANGES = 1000;

/** Creates the versions, which takes most of the time. Then measures a lifecycle preview and a lifecycle run. */
export async function benchLifecycle(folder: string, versions: number): Promise<Row[]> {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const dir = join(folder, 'lifecycle-store');
  const engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
  const store = engine.as(internalCaller(BENCH_KEY.principal, clock.now()));
  await store.createBucket({ bucket: BUCKET });
  await store.putVersioning({ bucket: BUCKET, versioning: 'Enabled' });
  const body = bytesBody('x');
  const put = (key: string) => store.putObject({ bucket: BUCKET, key, body });
  await load(versions, LOADED_AT_A_TIME, (index) =>
    put(keyOf(index % (versions / VERSIONS_PER_KEY))),
  );
  const noncurrentExpiration = { days: 1, keepNewest: KEPT };
  const rules = [{ id: 'previous', enabled: true, filter: {}, noncurrentExpiration }];
  await store.putLifecycle({ bucket: BUCKET, rules });
  aheadMs = 3 * DAY_MS;
  await engine.upkeep.trustClock();
  const name = `lifecycle, ${versions} versions`;
  const rows = [
    ...(await beside(store, `${name}, preview`, () => previewAll(engine))),
    ...(await beside(store, `${name}, run`, () => engine.lifecycle.run())),
  ];
  await engine.close();
  return rows;
}

async function previewAll(engine: Engine): Promise<void> {
  let after: string | undefined;
  do {
    const page = await engine.lifecycle.preview({
      limit: PAGE_CHANGES,
      ...(after === undefined ? {} : { after }),
    });
    after = page.next;
  } while (after !== undefined);
}

/**
 * Runs `work` while a client writes one object after the other. Returns the delays of the writes and of the event loop
 * as rows.
 */
async function beside(
  store: ObjectStore,
  name: string,
  work: () => Promise<unknown>,
): Promise<Row[]> {
  const delay = monitorEventLoopDelay({ resolution: TIMER_MS });
  const startedAt = performance.now();
  delay.enable();
  const over = new AbortController();
  const worked = work().finally(() => over.abort());
  const putMs: number[] = [];
  while (!over.signal.aborted) {
    const from = performance.now();
    await store.putObject({ bucket: BUCKET, key: 'beside', body: bytesBody('x') });
    putMs.push(performance.now() - from);
  }
  await worked;
  delay.disable();
  const tookMs = performance.now() - startedAt;
  // The histogram records the time between two timer events. This time includes the timer's interval, so the interval
  // is subtracted.
  const lateMs = Math.max(0, delay.percentile(99) / 1e6 - TIMER_MS);
  const put = { figure: percentile(putMs, 0.99), yardstick: 'p50' };
  return [
    limited(`${name}, event loop p99`, 'ms', lateMs, MAX_DELAY_MS),
    row(`${name}, a put beside it, p99`, 'ms', { ...put, yardstickFigure: percentile(putMs, 0.5) }),
    row(`${name}, took`, 's', {
      figure: tookMs / 1000,
      yardstick: 'put beside it',
      yardstickFigure: putMs.length,
    }),
  ];
}
