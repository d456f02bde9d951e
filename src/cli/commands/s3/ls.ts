/** `holdfast s3 ls`: the buckets, or what a bucket holds. */

import type { ControlClient } from '../../../control/client.ts';
import type { Context } from '../../context.ts';
import { foundNothing } from './found-nothing.ts';
import { withDaemonAt } from '../../arguments/local-place.ts';
import { tableLines } from '../../output/output.ts';
import { objectPages } from './pages.ts';
import type { ObjectPage } from './pages.ts';
import { parsePlace } from '../../arguments/place.ts';
import type { Place } from '../../arguments/place.ts';
import { bytesText, timeText, visible } from '../../output/text.ts';

export interface ListOptions {
  readonly recursive?: boolean;
}

export function list(
  context: Context,
  typed: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (typed === undefined) return listBuckets(context);
  const place = parsePlace(typed);
  return withDaemonAt(context, { typed, command: 'ls' }, (daemon) =>
    listObjects(context, daemon, { place, ...options }),
  );
}

async function listBuckets(context: Context): Promise<void> {
  const answer = await context.withDaemon((daemon) => daemon.call('buckets.list', {}));
  if (context.json) return context.out.json(answer);
  if (answer.buckets.length === 0) return context.remark('no buckets yet');
  const rows = answer.buckets.map(({ name, createdAt }) => [timeText(createdAt), visible(name)]);
  await context.out.lines(...tableLines([{ title: 'CREATED' }, { title: 'BUCKET' }], rows));
}

interface Listing extends ListOptions {
  readonly place: Place;
}

async function listObjects(
  context: Context,
  daemon: ControlClient,
  { place: { bucket, key: prefix }, recursive }: Listing,
): Promise<void> {
  const pages = objectPages(daemon, { bucket, prefix, ...(!recursive && { delimiter: '/' }) });
  const nothing = { place: { bucket, key: prefix }, goal: 'list' };
  if (context.json) {
    if ((await writeJson(context, pages)) === 0) await foundNothing(context, nothing);
    return;
  }
  // The folders view shows what is inside the folder; a recursive one whole keys, to be used as they are.
  const cut = recursive ? 0 : prefix.lastIndexOf('/') + 1;
  let count = 0;
  for await (const page of pages) {
    const lines = pageLines(page, cut);
    count += lines.length;
    await context.out.lines(...lines);
  }
  if (count === 0) await foundNothing(context, nothing);
}

/** Written as the pages come; common prefixes are few beside keys, so they wait for the end. Returns how many both are. */
async function writeJson(context: Context, pages: AsyncIterable<ObjectPage>): Promise<number> {
  const commonPrefixes: string[] = [];
  let count = 0;
  async function* objects() {
    for await (const page of pages) {
      commonPrefixes.push(...page.commonPrefixes);
      count += page.objects.length;
      yield page.objects;
    }
  }
  await context.out.jsonList('objects', objects(), () => ({ commonPrefixes }));
  return count + commonPrefixes.length;
}

const TIME_CELLS = '2026-11-21 14:03:22'.length;
/** `1023 bytes` would never be written: the longest is `1.02 kB` or `1000 kB`. */
const SIZE_CELLS = 9;

/** Fixed widths, since the pages to come are not known. */
function pageLines(page: ObjectPage, cut: number): string[] {
  const line = (time: string, size: string, name: string) =>
    `${time.padEnd(TIME_CELLS)}  ${size.padStart(SIZE_CELLS)}  ${visible(name.slice(cut))}`;
  return [
    ...page.commonPrefixes.map((prefix) => line('', 'folder', prefix)),
    ...page.objects.map(({ key, sizeBytes, lastModifiedAt }) =>
      line(timeText(lastModifiedAt), bytesText(sizeBytes), key),
    ),
  ];
}
