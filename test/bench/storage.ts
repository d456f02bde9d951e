/** The engine on signed HTTP, against a server that does nothing and one that does the least. */

import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { Body } from '../../src/object-store/body.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { BENCH_KEY } from './credentials.ts';
import { drain, load, seconds } from './load.ts';
import { startServer } from './processes.ts';
import type { Server } from './processes.ts';
import { median, row } from './row.ts';
import type { Row } from './row.ts';

const BUCKET = 'bench';
const IN_FLIGHT = 32;
const SMALL = new Uint8Array(1024).fill(120);
const LARGE_BYTES = 64 * 2 ** 20;
const ROUNDS = 3;
const WARM_UP_CALLS = 5_000;

interface Peer {
  readonly server: Server;
  readonly client: SignedClient;
}

export async function benchStorage(folder: string, puts: number): Promise<Row[]> {
  const holdfast = await peer('holdfast-server.ts', join(folder, 'engine'));
  const none = await peer('yardstick-server.ts', 'null');
  const reference = await peer('yardstick-server.ts', 'reference', join(folder, 'reference'));
  try {
    await holdfast.client.createBucket({ bucket: BUCKET });
    return [
      ...(await small(holdfast, none, reference, puts)),
      ...(await listing(holdfast, puts)),
      ...(await large(holdfast, reference)),
    ];
  } finally {
    for (const each of [holdfast, none, reference]) await close(each);
  }
}

async function peer(script: string, ...args: string[]): Promise<Peer> {
  const server = await startServer(script, ...args);
  const client = openSignedClient({
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'us-east-1',
    dialect: amzDialect,
    credentials: BENCH_KEY,
    clock: systemClock,
    logger: silentLogger,
  });
  return { server, client };
}

async function close({ server, client }: Peer): Promise<void> {
  await client.close();
  await server.stop();
}

async function small(holdfast: Peer, none: Peer, reference: Peer, count: number): Promise<Row[]> {
  const put = ({ client }: Peer) =>
    load(count, IN_FLIGHT, (index) =>
      client.putObject({ bucket: BUCKET, key: `small/${index}`, body: bytesBody(SMALL) }),
    );
  const get = ({ client }: Peer) =>
    load(count, IN_FLIGHT, async (index) =>
      drain((await client.getObject({ bucket: BUCKET, key: `small/${index}` })).body),
    );
  for (const each of [holdfast, none, reference]) await warmUp(each);
  const puts = {
    holdfast: await put(holdfast),
    none: await put(none),
    reference: await put(reference),
  };
  const gets = { holdfast: await get(holdfast), none: await get(none) };
  const perSecond = (figure: number, yardstick: string, yardstickFigure: number) => ({
    figure,
    yardstick,
    yardstickFigure,
  });
  return [
    row(
      'PUT 1 KiB durable, 32 in flight',
      '/s',
      perSecond(puts.holdfast.perSecond, 'reference server', puts.reference.perSecond),
      { atLeast: 3 },
    ),
    row(
      'PUT 1 KiB durable, 32 in flight',
      '/s',
      perSecond(puts.holdfast.perSecond, 'null server', puts.none.perSecond),
      { atLeast: 0.45 },
    ),
    row(
      'PUT 1 KiB, p99',
      'ms',
      perSecond(puts.holdfast.p99Ms, 'reference server', puts.reference.p99Ms),
      { atMost: 3 },
    ),
    row(
      'GET 1 KiB, 32 in flight',
      '/s',
      perSecond(gets.holdfast.perSecond, 'null server', gets.none.perSecond),
      { atLeast: 0.6 },
    ),
  ];
}

/** A server compiles what is hot while it works: the first seconds tell of the compiler. */
async function warmUp({ client }: Peer): Promise<void> {
  await load(WARM_UP_CALLS, IN_FLIGHT, async (index) => {
    const key = `warm/${index % IN_FLIGHT}`;
    await client.putObject({ bucket: BUCKET, key, body: bytesBody(SMALL) });
    await drain((await client.getObject({ bucket: BUCKET, key })).body);
  });
}

async function listing({ client }: Peer, keys: number): Promise<Row[]> {
  const walk = async (startAfter: string, pages: number) => {
    let token: string | undefined;
    let seen = 0;
    for (let page = 0; page < pages; page += 1) {
      const found = await client.listObjects({
        bucket: BUCKET,
        startAfter,
        ...(token !== undefined && { continuationToken: token }),
      });
      seen += found.objects.length;
      token = found.nextToken;
      if (token === undefined) break;
    }
    return seen;
  };
  const rate = async (startAfter: string) => {
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      let seen = 0;
      const took = await seconds(async () => {
        seen = await walk(startAfter, 5);
      });
      rates.push(seen / took);
    }
    return median(rates);
  };
  const first = await rate('');
  const late = await rate('small/5');
  return [
    row(
      `LIST pages of 1,000 late among ${keys} keys`,
      'keys/s',
      { figure: late, yardstick: 'first pages', yardstickFigure: first },
      { atLeast: 0.77 },
    ),
  ];
}

async function large(holdfast: Peer, reference: Peer): Promise<Row[]> {
  const chunk = new Uint8Array(2 ** 20).fill(7);
  const body: Body = {
    sizeBytes: LARGE_BYTES,
    replayable: true,
    async *open() {
      for (let sent = 0; sent < LARGE_BYTES; sent += chunk.byteLength) yield chunk;
    },
  };
  const megabytes = LARGE_BYTES / 1e6;
  const put = async ({ client }: Peer) => {
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const took = await seconds(() => client.putObject({ bucket: BUCKET, key: 'large', body }));
      rates.push(megabytes / took);
    }
    return median(rates);
  };
  const get = async ({ client }: Peer) => {
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const took = await seconds(async () =>
        drain((await client.getObject({ bucket: BUCKET, key: 'large' })).body),
      );
      rates.push(megabytes / took);
    }
    return median(rates);
  };
  const puts = { figure: await put(holdfast), yardstickFigure: await put(reference) };
  const gets = { figure: await get(holdfast), yardstickFigure: await get(reference) };
  return [
    row('PUT 64 MiB', 'MB/s', { ...puts, yardstick: 'reference server' }, { atLeast: 1 }),
    row('GET 64 MiB', 'MB/s', { ...gets, yardstick: 'reference server' }, { atLeast: 1 }),
  ];
}
