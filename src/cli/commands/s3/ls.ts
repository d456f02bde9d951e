/** Implements `holdfast s3 ls`. It lists the buckets, or the objects and common prefixes below a prefix. */

import type { ControlClient } from '../../../control/client.ts';
import type { Context } from '../../context.ts';
import { foundNothing } from './found-nothing.ts';
import { tableLines } from '../../output/output.ts';
import { objectPages } from './pages.ts';
import type { ObjectPage } from './pages.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import type { Place } from '../../arguments/thing.ts';
import { visible } from '../../output/text.ts';
import { bytesText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';

export interface ListOptions {
  readonly recursive?: boolean;
}

export function list(
  context: Context,
  typed: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (typed === undefined) return listBuckets(context);
  return withThing(context, typed, { ifBoth: 'object' }, (daemon, place) =>
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
  // Names are relative to the folder. With --recursive, whole keys are shown, so that they can be used in another
  // command.
  const cut = recursive ? 0 : prefix.lastIndexOf('/') + 1;
  let count = 0;
  for await (const page of pages) {
    const lines = pageLines(page, cut);
    count += lines.length;
    await context.out.lines(...lines);
  }
  if (count === 0) await foundNothing(context, nothing);
}

/**
 * Writes the objects of each page as it arrives, and then all common prefixes. There are few enough common prefixes to
 * keep them in memory. Returns the number of objects and common prefixes.
 */
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
/** The width of the size column. The longest sizes have the form `1.02 kB` or `1000 kB`. */
const SIZE_CELLS = 9;

/** Returns the lines of a page. Column widths are fixed, because later pages are not known yet. */
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
