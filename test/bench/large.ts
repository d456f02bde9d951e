/** Measures the throughput of PUT and GET for large objects, and the memory that the server needs for them. */

import { systemClock } from '../../src/base/clock.ts';
import type { Body } from '../../src/object-store/body.ts';
import { drain, seconds } from './load.ts';
import { BUCKET } from './names.ts';
import { openPeer, withPeer } from './peer.ts';
import type { Peer, ServerName } from './peer.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';

const LARGE_BYTES = 64 * 2 ** 20;
const CHUNK = new Uint8Array(2 ** 20).fill(7);
const ROUNDS = 5;
const LOOK_MS = 100;
/**
 * The maximum growth of the server's memory during four large transfers. It allows some buffers per transfer, and
 * garbage that is not yet collected.
 */
const MAX_GROWTH_MIB = 64;
const AT_ONCE = 4;

export async function benchLarge(folder: string, others: readonly ServerName[]): Promise<Row[]> {
  const names: readonly ServerName[] = ['holdfast', 'reference', ...others];
  const peers = new Map<ServerName, Peer>();
  const rates = new Map<ServerName, { readonly put: number[]; readonly get: number[] }>();
  try {
    for (const name of names) {
      peers.set(name, await openPeer(name, folder));
      rates.set(name, { put: [], get: [] });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, { client }] of peers) {
        rates.get(name)?.put.push(rateOf(await seconds(() => put(client, 'large', LARGE_BYTES))));
        rates.get(name)?.get.push(rateOf(await seconds(() => get(client, 'large'))));
      }
    }
  } finally {
    for (const peer of peers.values()) await peer.close();
  }
  const against = (what: 'get' | 'put', yardstick: ServerName, atLeast: number) => {
    const [figure, yardstickFigure] = [rate('holdfast'), rate(yardstick)];
    return row(
      `${what.toUpperCase()} 64 MiB`,
      'MB/s',
      { figure, yardstick, yardstickFigure },
      { atLeast },
    );
    function rate(name: ServerName) {
      return median(rates.get(name)?.[what] ?? []);
    }
  };
  return [
    against('put', 'reference', 1),
    ...(others.includes('s3rver') ? [against('put', 's3rver', 1)] : []),
    against('get', 'reference', 1),
    ...(others.includes('s3rver') ? [against('get', 's3rver', 1.5)] : []),
  ];
}

/** Measures the server's memory during parallel uploads and downloads of four objects of `mebibytes` MiB each. */
export function benchMemory(folder: string, mebibytes: number): Promise<Row[]> {
  return withPeer('holdfast', folder, async ({ client, server }) => {
    const keys = Array.from({ length: AT_ONCE }, (_, index) => `memory/${index}`);
    await put(client, 'warm', LARGE_BYTES);
    await get(client, 'warm');
    const before = (await server.report()).rssMib;
    const peakOf = (call: (key: string) => Promise<unknown>) =>
      peakRss(server, Promise.all(keys.map((key) => call(key))));
    const putting = await peakOf((key) => put(client, key, mebibytes * 2 ** 20));
    const getting = await peakOf((key) => get(client, key));
    const name = (verb: string) => `RSS growth while ${AT_ONCE} × ${mebibytes} MiB are ${verb}`;
    return [
      limited(name('put'), 'MiB', putting - before, MAX_GROWTH_MIB),
      limited(name('got'), 'MiB', getting - before, MAX_GROWTH_MIB),
    ];
  });
}

async function peakRss(server: Peer['server'], work: Promise<unknown>): Promise<number> {
  const done = work.then(() => true);
  let peak = 0;
  for (let ended = false; !ended;) {
    peak = Math.max(peak, (await server.report()).rssMib);
    ended = await Promise.race([done, systemClock.sleep(LOOK_MS).then(() => false)]);
  }
  return peak;
}

function put(client: Peer['client'], key: string, sizeBytes: number): Promise<unknown> {
  const body: Body = {
    sizeBytes,
    replayable: true,
    async *open() {
      for (let sent = 0; sent < sizeBytes; sent += CHUNK.byteLength) yield CHUNK;
    },
  };
  return client.putObject({ bucket: BUCKET, key, body });
}

async function get(client: Peer['client'], key: string): Promise<number> {
  return drain((await client.getObject({ bucket: BUCKET, key })).body);
}

function rateOf(took: number): number {
  return LARGE_BYTES / 1e6 / took;
}
