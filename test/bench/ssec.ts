/**
 * Measures the cost of encryption with customer-provided keys. Sends the same bodies alternately with and without
 * encryption to one server.
 */

import { type Body, bytesBody } from '../../src/object-store/body.ts';
import { CustomerKey } from '../../src/object-store/customer-key.ts';
import { drain, load, seconds } from './load.ts';
import { BUCKET } from './names.ts';
import { withPeer } from './peer.ts';
import type { Peer } from './peer.ts';
import { median, row } from './row.ts';
import type { Row } from './row.ts';
import { IN_FLIGHT } from './small.ts';

const LARGE_BYTES = 64 * 2 ** 20;
const CHUNK = new Uint8Array(2 ** 20).fill(7);
const SMALL = new Uint8Array(1024).fill(120);
const ROUNDS = 5;
const WARM_UP_CALLS = 3_000;
/** The minimum ratio of the throughput with encryption to the throughput without encryption. */
const AT_LEAST = 0.6;

const WAYS = ['plain', 'encrypted'] as const;
type Way = (typeof WAYS)[number];
type Figure = 'large get' | 'large put' | 'small get' | 'small put';

/** Measures large objects and `count` small objects per round, alternately encrypted and plain. */
export function benchSsec(folder: string, count: number): Promise<Row[]> {
  return withPeer('holdfast', folder, async ({ client }) => {
    const found = new Map<string, number[]>();
    const note = (figure: Figure, way: Way, value: number) =>
      found.set(`${figure} ${way}`, [...(found.get(`${figure} ${way}`) ?? []), value]);
    for (const way of WAYS) await small(client, way, WARM_UP_CALLS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of WAYS) {
        const rates = await large(client, way);
        note('large put', way, rates.put);
        note('large get', way, rates.get);
      }
      for (const way of WAYS) {
        const rates = await small(client, way, count);
        note('small put', way, rates.put);
        note('small get', way, rates.get);
      }
    }
    const of = (figure: Figure, way: Way) => median(found.get(`${figure} ${way}`) ?? []);
    const against = (figure: Figure, name: string, unit: string) =>
      row(
        `${name} under a customer's key`,
        unit,
        {
          figure: of(figure, 'encrypted'),
          yardstick: 'plain',
          yardstickFigure: of(figure, 'plain'),
        },
        { atLeast: AT_LEAST },
      );
    return [
      against('large put', 'PUT 64 MiB', 'MB/s'),
      against('large get', 'GET 64 MiB', 'MB/s'),
      against('small put', 'PUT 1 KiB', '/s'),
      against('small get', 'GET 1 KiB', '/s'),
    ];
  });
}

interface Rates {
  readonly put: number;
  readonly get: number;
}

/** The customer key is parsed only once, because parsing is not part of the measurement. */
const KEY = { customerKey: newKey() };

function newKey(): CustomerKey {
  const key = CustomerKey.take(Buffer.alloc(32, 1));
  if (key === undefined) throw new Error('make key: the key does not have 32 bytes');
  return key;
}

const keyOf = (way: Way) => (way === 'encrypted' ? KEY : {});

/** Returns the throughput for large objects in megabytes per second. */
async function large(client: Peer['client'], way: Way): Promise<Rates> {
  const ref = { bucket: BUCKET, key: `ssec/large-${way}`, ...keyOf(way) };
  const body: Body = {
    sizeBytes: LARGE_BYTES,
    replayable: true,
    async *open() {
      for (let sent = 0; sent < LARGE_BYTES; sent += CHUNK.byteLength) yield CHUNK;
    },
  };
  const put = await seconds(() => client.putObject({ ...ref, body }));
  const get = await seconds(async () => drain((await client.getObject(ref)).body));
  return { put: LARGE_BYTES / 1e6 / put, get: LARGE_BYTES / 1e6 / get };
}

/** Returns the throughput for small objects in objects per second. */
async function small(client: Peer['client'], way: Way, count: number): Promise<Rates> {
  const ref = (index: number) => ({ bucket: BUCKET, key: `ssec/${way}/${index}`, ...keyOf(way) });
  const body = bytesBody(SMALL);
  const puts = await load(count, IN_FLIGHT, (index) => client.putObject({ ...ref(index), body }));
  const gets = await load(count, IN_FLIGHT, async (index) =>
    drain((await client.getObject(ref(index))).body),
  );
  return { put: puts.perSecond, get: gets.perSecond };
}
