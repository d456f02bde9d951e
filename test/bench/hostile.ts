/**
 * Measures how hostile inputs affect other users. Compares the 99th percentile of their response times during each
 * input with the same percentile just before the input.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import { BENCH_KEY, STRANGER_KEY } from './credentials.ts';
import { type Attacked, HOSTILE_INPUTS, type HostileInput } from './hostile-inputs.ts';
import { drain, load, loadFor } from './load.ts';
import { BUCKET } from './names.ts';
import { openClient } from './peer.ts';
import { startServer } from './processes.ts';
import { row } from './row.ts';
import type { Row } from './row.ts';

const SMALL = bytesBody(new Uint8Array(1024).fill(120));
const MEASURED_SECONDS = 3;
const WARM_UP_CALLS = 500;
/** The timeout of a request. A request without a response by then counts with this duration. */
const GIVE_UP_MS = 10_000;
const RETRY_MS = 20;
/**
 * The maximum ratio of the 99th percentile during a hostile input to the percentile before it. For a percentile of a
 * few milliseconds, the ratio allows one stall of 10 ms.
 */
const AT_MOST = 5;

/**
 * Measures each hostile input with a new service, so that an unfinished request does not affect the next measurement.
 */
export async function benchHostile(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, input] of HOSTILE_INPUTS.entries()) {
    rows.push(...(await besideInput(join(folder, `hostile-${index}`), input)));
  }
  return rows;
}

async function besideInput(folder: string, input: HostileInput): Promise<Row[]> {
  const root = join(folder, 'root');
  mkdirSync(root, { recursive: true });
  const server = await startServer('shared-server.ts', join(folder, 'store'), root);
  const [port = 0, clusterPort = 0] = server.ports;
  const endpoint = `http://127.0.0.1:${port}`;
  const [owner, attacker] = [BENCH_KEY, STRANGER_KEY].map((key) => openClient(endpoint, key));
  if (owner === undefined || attacker === undefined)
    throw new Error('open clients: expected two clients');
  try {
    await owner.createBucket({ bucket: BUCKET });
    await owner.putObject({ bucket: BUCKET, key: 'k', body: SMALL });
    await load(WARM_UP_CALLS, 8, () => once(endpoint, 'put'));
    await load(WARM_UP_CALLS, 8, () => once(endpoint, 'get'));
    const attacked = { attacker, port, clusterPort, root };
    await input.prepare?.(attacked);
    const alone = await measure(endpoint);
    const beside = await whileStruck(attacked, input, () => measure(endpoint));
    return (['get', 'put'] as const).map((what) =>
      row(
        `${what.toUpperCase()} p99 beside ${input.name}`,
        'ms',
        { figure: beside[what], yardstick: 'without it', yardstickFigure: alone[what] },
        { atMost: AT_MOST },
      ),
    );
  } finally {
    await owner.close();
    await attacker.close();
    await server.stop();
  }
}

interface P99 {
  readonly get: number;
  readonly put: number;
}

async function measure(endpoint: string): Promise<P99> {
  const [gets, puts] = await Promise.all(
    (['get', 'put'] as const).map((what) =>
      loadFor(MEASURED_SECONDS, 1, () => once(endpoint, what)),
    ),
  );
  return { get: gets?.p99Ms ?? Number.NaN, put: puts?.p99Ms ?? Number.NaN };
}

/** Sends one request as a new user. Retries on another connection if the service closes the first connection. */
async function once(endpoint: string, what: 'get' | 'put'): Promise<void> {
  const client = openClient(endpoint, BENCH_KEY);
  const signal = AbortSignal.timeout(GIVE_UP_MS);
  const target = { bucket: BUCKET, key: 'k' };
  const call = async () => {
    if (what === 'put') await client.putObject({ ...target, body: SMALL }, { signal });
    else await drain((await client.getObject(target, { signal })).body);
    return true;
  };
  // A lost connection or a SlowDown response is retried here and does not count as an error.
  const again = (error: unknown) => {
    const isKnown = error instanceof TransportError || isStorageError(error, 'SlowDown');
    if (!isKnown && !signal.aborted) throw error;
    return false;
  };
  try {
    while (!signal.aborted && !(await call().catch(again))) await systemClock.sleep(RETRY_MS);
  } finally {
    await client.close();
  }
}

/**
 * Repeats the hostile input while `work` runs, each time after the service has responded. If the last input gets no
 * response, it ends when the service stops.
 */
async function whileStruck(
  attacked: Attacked,
  { strike }: HostileInput,
  work: () => Promise<P99>,
): Promise<P99> {
  const over = new AbortController();
  const striking = (async () => {
    while (!over.signal.aborted) await strike(attacked, over.signal);
  })();
  const failed = striking.then(() =>
    Promise.reject(new Error('run hostile input: the input ended early')),
  );
  try {
    return await Promise.race([work(), failed]);
  } finally {
    over.abort();
    failed.catch(() => undefined);
  }
}
