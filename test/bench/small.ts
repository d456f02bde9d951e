/**
 * Measures small objects over signed HTTP. Compares Holdfast with a server that does nothing, with a minimal durable
 * server, and with other S3 servers.
 */

import { bytesBody } from '../../src/object-store/body.ts';
import { drain, load, loadFor } from './load.ts';
import type { LoadResult } from './load.ts';
import { BUCKET } from './names.ts';
import { openPeer, withPeer } from './peer.ts';
import type { Peer, ServerName } from './peer.ts';
import { limited, median, row } from './row.ts';
import type { Goal, Row } from './row.ts';

export const IN_FLIGHT = 32;
const SMALL = new Uint8Array(1024).fill(120);
const ROUNDS = 3;
/**
 * The number of calls before the measurement. V8 compiles the functions only after some ten thousand calls, and a real
 * service runs for weeks.
 */
const WARM_UP_CALLS = 25_000;
/** The duration of a short run without database checkpoints. A long run is compared with it. */
const SHORT_SECONDS = 5;
/** The maximum delay of the event loop while the server is under load. */
const MAX_LOOP_DELAY_MS = 50;

interface Figures {
  readonly putPerSecond: number;
  readonly putP99Ms: number;
  readonly putCpu: number;
  readonly getPerSecond: number;
  readonly getCpu: number;
}

/**
 * Measures `count` PUTs and GETs per round. The servers take turns, so that other load on the machine affects all of
 * them equally.
 */
export async function benchSmall(
  folder: string,
  count: number,
  others: readonly ServerName[],
): Promise<Row[]> {
  const names: readonly ServerName[] = ['holdfast', 'null', 'reference', ...others];
  const peers = new Map<ServerName, Peer>();
  const rounds = new Map<ServerName, Figures[]>();
  try {
    for (const name of names) peers.set(name, await openPeer(name, folder));
    for (const peer of peers.values()) await warmUp(peer);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, peer] of peers) {
        rounds.set(name, [...(rounds.get(name) ?? []), await measure(peer, count, round)]);
      }
    }
  } finally {
    for (const peer of peers.values()) await peer.close();
  }
  return rowsOf((name, what) => median((rounds.get(name) ?? []).map((each) => each[what])), others);
}

type Figure = (name: ServerName, what: keyof Figures) => number;

function rowsOf(figure: Figure, others: readonly ServerName[]): Row[] {
  const against = (other: ServerName, what: keyof Figures, [name, unit]: [string, string]) => {
    const measured = { figure: figure('holdfast', what), yardstickFigure: figure(other, what) };
    return (goal?: Goal) => row(name, unit, { ...measured, yardstick: other }, goal);
  };
  const put: [string, string] = ['PUT 1 KiB durable, 32 in flight', '/s'];
  const get: [string, string] = ['GET 1 KiB, 32 in flight', '/s'];
  const cpu = (what: string): [string, string] => [`${what} 1 KiB, server's CPU`, 'µs'];
  const has = (name: ServerName) => others.includes(name);
  return [
    against('null', 'putPerSecond', put)({ atLeast: 0.45 }),
    against('reference', 'putPerSecond', put)({ atLeast: 3 }),
    ...(has('fauxqs') ? [against('fauxqs', 'putPerSecond', put)({ atLeast: 3 })] : []),
    against('reference', 'putP99Ms', ['PUT 1 KiB, p99', 'ms'])({ atMost: 3 }),
    against('null', 'putCpu', cpu('PUT'))({ atMost: 2.5 }),
    against('null', 'getPerSecond', get)({ atLeast: 0.7 }),
    ...(has('s3rver') ? [against('s3rver', 'getPerSecond', get)({ atLeast: 6 })] : []),
    against('null', 'getCpu', cpu('GET'))({ atMost: 2 }),
  ];
}

async function measure({ client, server }: Peer, count: number, round: number): Promise<Figures> {
  const key = (index: number) => `small-${round}/${index}`;
  await server.report();
  const puts = await load(count, IN_FLIGHT, (index) => put(client, key(index)));
  const put1 = await server.report();
  const gets = await load(count, IN_FLIGHT, (index) => get(client, key(index)));
  const get1 = await server.report();
  return {
    putPerSecond: puts.perSecond,
    putP99Ms: puts.p99Ms,
    putCpu: (1000 * put1.cpuMs) / count,
    getPerSecond: gets.perSecond,
    getCpu: (1000 * get1.cpuMs) / count,
  };
}

/**
 * Measures PUTs of new keys for `duration` seconds. This is long enough to include database checkpoints, during which a
 * PUT is slowest.
 */
export async function benchSustained(folder: string, duration: number): Promise<Row[]> {
  const run = (name: ServerName) =>
    withPeer(name, folder, async (peer): Promise<Sustained> => {
      await warmUp(peer);
      const short = (index: number) => put(peer.client, `short/${index}`);
      const { perSecond: shortPerSecond } = await loadFor(SHORT_SECONDS, IN_FLIGHT, short);
      await peer.server.report();
      const puts = await loadFor(duration, IN_FLIGHT, (index) => put(peer.client, `long/${index}`));
      const { loopDelayP99Ms: loopDelayMs } = await peer.server.report();
      return { ...puts, shortPerSecond, loopDelayMs };
    });
  const ours = await run('holdfast');
  const theirs = await run('reference');
  const name = `PUT 1 KiB durable for ${duration} s`;
  const beside = (what: keyof LoadResult) => ({
    figure: ours[what],
    yardstick: 'reference',
    yardstickFigure: theirs[what],
  });
  return [
    row(name, '/s', beside('perSecond'), { atLeast: 3 }),
    row(`${name}, p99`, 'ms', beside('p99Ms'), { atMost: 3 }),
    row(
      name,
      '/s',
      {
        figure: ours.perSecond,
        yardstick: `${SHORT_SECONDS} s`,
        yardstickFigure: ours.shortPerSecond,
      },
      { atLeast: 0.9 },
    ),
    limited(`${name}, event loop p99`, 'ms', ours.loopDelayMs, MAX_LOOP_DELAY_MS),
  ];
}

interface Sustained extends LoadResult {
  readonly shortPerSecond: number;
  readonly loopDelayMs: number;
}

/** Warms up a server with new keys, as in the measurement. */
async function warmUp({ client }: Peer): Promise<void> {
  await load(WARM_UP_CALLS, IN_FLIGHT, async (index) => {
    const key = `warm/${index}`;
    await put(client, key);
    await get(client, key);
  });
}

export function put(client: Peer['client'], key: string): Promise<unknown> {
  return client.putObject({ bucket: BUCKET, key, body: bytesBody(SMALL) });
}

export async function get(client: Peer['client'], key: string): Promise<number> {
  return drain((await client.getObject({ bucket: BUCKET, key })).body);
}
