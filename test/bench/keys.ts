/**
 * Measures whether the server's CPU time for a PUT, a GET and a listing page stays the same as the number of keys
 * grows.
 */

import { join } from 'node:path';

import { load } from './load.ts';
import { FOLDERS, keyOf } from './names.ts';
import { pageMs } from './page.ts';
import type { PageRequest } from './page.ts';
import { withPeer } from './peer.ts';
import type { Peer, ServerName } from './peer.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';
import { get, IN_FLIGHT, put } from './small.ts';

const CALLS = 5_000;
const PAGES = 50;
const PAGE_KEYS = 1_000;
/** The maximum ratio of the cost with the most keys to the cost with the fewest keys. */
const FLAT = 1.3;
const MAX_FOLDER_PAGE_MS = 2;

/**
 * The server's CPU time per call, in milliseconds. Other load on the machine affects CPU time less than elapsed time.
 */
interface Costs {
  readonly page: number;
  readonly folders: number;
  readonly put: number;
  readonly get: number;
}

/**
 * Measures the costs at each number of keys. `sizes` is in ascending order. The goals compare the costs at the last
 * size with those at the first size.
 */
export async function benchKeys(
  folder: string,
  sizes: readonly number[],
  others: readonly ServerName[],
): Promise<Row[]> {
  const costs = await withPeer('holdfast', folder, (peer) => costsAt(peer, sizes));
  const fewest = costs.at(0);
  const most = costs.at(-1);
  if (!fewest || !most) return [];
  const [least, greatest] = [sizes[0], sizes.at(-1)];
  const flat = (what: keyof Costs, name: string) =>
    row(
      `${name}, server's CPU, ${greatest} keys`,
      'ms',
      { figure: most[what], yardstick: `${least} keys`, yardstickFigure: fewest[what] },
      { atMost: FLAT },
    );
  return [
    flat('put', 'PUT 1 KiB'),
    flat('get', 'GET 1 KiB'),
    flat('page', 'LIST a page of 1,000'),
    flat('folders', `LIST ${FOLDERS} folders`),
    limited(`LIST ${FOLDERS} folders, server's CPU`, 'ms', most.folders, MAX_FOLDER_PAGE_MS),
    row(
      `LIST ${FOLDERS} folders, server's CPU`,
      'ms',
      { figure: most.folders, yardstick: 'LIST a page of 1,000', yardstickFigure: most.page },
      { atMost: 1 },
    ),
    ...(others.includes('fauxqs') ? [await againstFauxqs(folder)] : []),
  ];
}

async function costsAt(peer: Peer, sizes: readonly number[]): Promise<Costs[]> {
  const costs: Costs[] = [];
  let loaded = 0;
  for (const size of sizes) {
    await peer.server.loadKeys(loaded, size);
    loaded = size;
    costs.push(await costsOf(peer, size));
  }
  return costs;
}

async function costsOf({ client, endpoint, server }: Peer, size: number): Promise<Costs> {
  const spread = (index: number) => keyOf(Math.floor((index / CALLS) * size));
  const costOf = async (calls: number, run: () => Promise<unknown>) => {
    await server.report();
    await run();
    return (await server.report()).cpuMs / calls;
  };
  const gets = () => load(CALLS, IN_FLIGHT, (index) => get(client, spread(index)));
  const puts = () => load(CALLS, IN_FLIGHT, (index) => put(client, `${spread(index)}-${size}`));
  const pages = (request: PageRequest) => load(PAGES, 1, () => pageMs(endpoint, request));
  await gets();
  return {
    get: await costOf(CALLS, gets),
    put: await costOf(CALLS, puts),
    page: await costOf(PAGES, () => pages({ startAfter: keyOf(FOLDERS / 2) })),
    folders: await costOf(PAGES, () => pages({ delimiter: '/' })),
  };
}

/** Compares the listing rate in keys per second with fauxqs. Both list pages of 1,000 keys in equally large buckets. */
async function againstFauxqs(folder: string): Promise<Row> {
  const rateOf = (name: ServerName) =>
    withPeer(name, join(folder, 'list'), async ({ client, endpoint }) => {
      await load(2 * PAGE_KEYS, IN_FLIGHT, (index) => put(client, keyOf(index)));
      const tookMs: number[] = [];
      for (let page = 0; page < PAGES; page += 1) tookMs.push(await pageMs(endpoint, {}));
      return (1000 * PAGE_KEYS) / median(tookMs);
    });
  const figure = await rateOf('holdfast');
  const measured = { figure, yardstick: 'fauxqs', yardstickFigure: await rateOf('fauxqs') };
  return row('LIST', 'keys/s', measured, { atLeast: 2 });
}
