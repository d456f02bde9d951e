/**
 * Measures a server under a mixed load for a long time. Its memory and its slowest calls must not grow. Checks the
 * whole store afterwards.
 */

import { join } from 'node:path';

import { bytesBody } from '../../src/object-store/body.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { SHARED } from './bench-service.ts';
import { drain, loadFor } from './load.ts';
import { BUCKET } from './names.ts';
import { withPeer } from './peer.ts';
import type { Peer } from './peer.ts';
import { median, row } from './row.ts';
import type { Row } from './row.ts';
import { IN_FLIGHT } from './small.ts';

/** The number of different keys. Most keys are written repeatedly, so that the size of the store stays the same. */
const KEYS = 20_000;
const FOLDERS = 200;
const SMALL = new Uint8Array(1024).fill(120);
const LARGE = new Uint8Array(256 * 1024).fill(121);
/**
 * The number of intervals in which memory and the slowest calls are measured. The first twelfth of the intervals is the
 * warm-up.
 */
const INTERVALS = 60;
const WARM_UP = INTERVALS / 12;

interface Interval {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly rssMib: number;
}

export async function benchMixed(folder: string, minutes: number): Promise<Row[]> {
  const intervals = await withPeer('holdfast', folder, (peer) => measure(peer, minutes));
  await checkDeep(join(folder, 'holdfast'));
  const measured = intervals.slice(WARM_UP);
  const half = measured.length / 2;
  const middle = (part: readonly Interval[], what: keyof Interval) =>
    median(part.map((each) => each[what]));
  const halves = (what: keyof Interval) => ({
    figure: middle(measured.slice(half), what),
    yardstick: 'first half',
    yardstickFigure: middle(measured.slice(0, half), what),
  });
  const name = `mixed load for ${minutes} min, 32 in flight`;
  return [
    row(`${name}, memory`, 'MiB', halves('rssMib'), { atMost: 1.05 }),
    row(`${name}, p99`, 'ms', halves('p99Ms'), { atMost: 1.1 }),
    row(`${name}, calls`, '/s', halves('perSecond'), { atLeast: 0.9 }),
  ];
}

async function measure({ client, server }: Peer, minutes: number): Promise<readonly Interval[]> {
  const intervals: Interval[] = [];
  let calls = 0;
  const call = () => {
    calls += 1;
    return callOf(client, calls);
  };
  for (let index = 0; index < INTERVALS; index += 1) {
    const { perSecond, p99Ms } = await loadFor((minutes * 60) / INTERVALS, IN_FLIGHT, call);
    const { rssMib } = await server.report();
    intervals.push({ perSecond, p99Ms, rssMib });
    process.stderr.write(
      `${index + 1}/${INTERVALS}: ${perSecond.toFixed(0)}/s, p99 ${p99Ms.toFixed(1)} ms, ${rssMib.toFixed(0)} MiB\n`,
    );
  }
  return intervals;
}

/** Makes one call. The mix of operations repeats every 100 calls. The keys are scattered, but the same in each run. */
async function callOf(client: Peer['client'], index: number): Promise<unknown> {
  const number = (index * 7919) % KEYS;
  const key = `folder ${number % FOLDERS}/file ${number}`;
  const at = { bucket: BUCKET, key };
  const kind = index % 100;
  if (kind < 35) return client.putObject({ ...at, body: bytesBody(SMALL) });
  if (kind < 36) return client.putObject({ ...at, body: bytesBody(LARGE) });
  if (kind < 85) return ifPresent(async () => drain((await client.getObject(at)).body));
  if (kind < 92) return ifPresent(() => client.headObject(at));
  if (kind < 96) return client.deleteObject(at);
  const delimiter = kind < 98 ? { delimiter: '/' } : {};
  return client.listObjects({ bucket: BUCKET, maxKeys: 100, ...delimiter });
}

async function ifPresent(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey')) return undefined;
    throw error;
  }
}

/** Reads and checks the whole store. Throws if the store is damaged. */
async function checkDeep(dir: string): Promise<void> {
  const engine = await openEngine({ dir, ...SHARED });
  try {
    const { problems } = await engine.upkeep.check({ deep: true });
    if (problems.length > 0)
      throw new Error(`the store is damaged after the load: ${JSON.stringify(problems)}`);
  } finally {
    await engine.close();
  }
}
