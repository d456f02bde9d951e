/** Whether put, get and a page of a list cost the same however many keys there are. */

import { load } from './load.ts';
import { FOLDERS, keyOf } from './names.ts';
import { pageMs } from './page.ts';
import { withPeer } from './peer.ts';
import type { Peer, ServerName } from './peer.ts';
import { limited, median, row } from './row.ts';
import type { Row } from './row.ts';
import { get, IN_FLIGHT, put } from './small.ts';

const CALLS = 5_000;
const PAGES = 15;
const PAGE_KEYS = 1_000;
/** In either direction, from the fewest keys to the most. */
const FLAT = 1.3;
const MAX_FOLDER_PAGE_MS = 2;

interface Costs {
  readonly page: number;
  readonly folders: number;
  readonly put: number;
  readonly get: number;
}

/** `sizes` ascend; the goals compare the last with the first. */
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
  const flat = (what: keyof Costs, name: string, unit: string) =>
    row(
      `${name}, ${greatest} keys`,
      unit,
      { figure: most[what], yardstick: `${least} keys`, yardstickFigure: fewest[what] },
      unit === 'ms' ? { atMost: FLAT } : { atLeast: 1 / FLAT },
    );
  return [
    flat('put', 'PUT 1 KiB', '/s'),
    flat('get', 'GET 1 KiB', '/s'),
    flat('page', 'LIST a page of 1,000', 'ms'),
    flat('folders', `LIST ${FOLDERS} folders by delimiter`, 'ms'),
    limited(`LIST ${FOLDERS} folders, ${greatest} keys`, 'ms', most.folders, MAX_FOLDER_PAGE_MS),
    ...(others.includes('fauxqs') ? [await againstFauxqs(folder, fewest.page)] : []),
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

async function costsOf({ client, endpoint }: Peer, size: number): Promise<Costs> {
  const spread = (index: number) => keyOf(Math.floor((index / CALLS) * size));
  const page = await medianOf(() => pageMs(endpoint, { startAfter: keyOf(FOLDERS / 2) }));
  const folders = await medianOf(() => pageMs(endpoint, { delimiter: '/' }));
  await load(CALLS, IN_FLIGHT, (index) => get(client, spread(index)));
  const gets = await load(CALLS, IN_FLIGHT, (index) => get(client, spread(index)));
  const puts = await load(CALLS, IN_FLIGHT, (index) => put(client, `${spread(index)}-${size}`));
  return { page, folders, put: puts.perSecond, get: gets.perSecond };
}

/** Keys a second in pages of 1,000, as many keys in either. */
async function againstFauxqs(folder: string, oursMs: number): Promise<Row> {
  const theirsMs = await withPeer('fauxqs', folder, async ({ client, endpoint }) => {
    await load(2 * PAGE_KEYS, IN_FLIGHT, (index) => put(client, keyOf(index)));
    return medianOf(() => pageMs(endpoint, {}));
  });
  const rate = (milliseconds: number) => (1000 * PAGE_KEYS) / milliseconds;
  const measured = { figure: rate(oursMs), yardstick: 'fauxqs', yardstickFigure: rate(theirsMs) };
  return row('LIST', 'keys/s', measured, { atLeast: 2 });
}

async function medianOf(run: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < PAGES; round += 1) figures.push(await run());
  return median(figures);
}
