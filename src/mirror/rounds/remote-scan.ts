/**
 * Which keys of the bucket differ from the baseline: the listing and the baseline, both in key order, are
 * walked side by side, so that memory is as the differences. A listing says less than a head, and both
 * sides may move meanwhile: what is found here is examined before anything is done about it.
 */

import { setImmediate } from 'node:timers/promises';

import type { ListedObject } from '../../object-store/listing.ts';
import { compareUtf8 } from '../../object-store/rules/listing.ts';
import { RESERVED_FOLDER } from '../local/attributes.ts';
import { lockUntil, type TermsOf } from '../locks/lock-terms.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import type { BaselineHead } from '../state/baseline-table.ts';
import type { StateFile } from '../state/state.ts';
import type { Place } from '../target.ts';

/** Rows and keys at a time. */
const PAGE = 1_000;

interface Pages<T> {
  /** The element under the cursor, or undefined at the end. */
  peek(): Promise<T | undefined>;
  next(): void;
}

/**
 * A listing has no version ids. So long after the time of its lock an object of a job with locks may be another client's,
 * with the same bytes: that is more than an upload takes, mostly.
 */
const LOCKED_WITHIN_MS = 10_000;

/** Heads that differ from the baseline, or may be another version, by key below the prefix. */
export async function scanRemote(
  place: Place,
  state: StateFile,
  termsOf: TermsOf,
  signal: AbortSignal,
): Promise<Map<string, RemoteHead>> {
  const differences = new Map<string, RemoteHead>();
  const heads = headPages(place, signal);
  const rows = rowPages(state);
  for (;;) {
    const [head, row] = [await heads.peek(), await rows.peek()];
    if (!head && !row) return differences;
    const order = !head ? 1 : !row ? -1 : compareUtf8(head.key, row.key);
    if (order > 0 && row) differences.set(row.key, 'absent');
    else if (
      head &&
      (order < 0 || head.etag !== row?.etag || isPerhapsRewritten(head, row, termsOf))
    )
      differences.set(head.key, { etag: head.etag, sizeBytes: head.sizeBytes, listed: true });
    if (order <= 0) heads.next();
    if (order >= 0) rows.next();
  }
}

function isPerhapsRewritten(
  { lastModifiedAt }: Pick<ListedObject, 'lastModifiedAt'>,
  { key, retainUntil }: BaselineHead,
  termsOf: TermsOf,
): boolean {
  const terms = termsOf(key);
  if (!terms || !retainUntil) return false;
  return lockUntil(terms, lastModifiedAt) > retainUntil + LOCKED_WITHIN_MS;
}

function headPages({ store, bucket, prefix }: Place, signal: AbortSignal) {
  let token: string | undefined;
  return pages(async () => {
    // The embedded store answers within the turn: a million keys would be one.
    await setImmediate();
    const page = await store.listObjects(
      { bucket, prefix, maxKeys: PAGE, ...(token !== undefined && { continuationToken: token }) },
      { signal },
    );
    token = page.nextToken;
    const objects = page.objects
      .map(({ key, etag, sizeBytes, lastModifiedAt }) => ({
        key: key.slice(prefix.length),
        etag,
        sizeBytes,
        lastModifiedAt,
      }))
      .filter(({ key }) => key !== '' && !key.startsWith(`${RESERVED_FOLDER}/`));
    return { items: objects, isLast: token === undefined };
  });
}

function rowPages(state: StateFile): Pages<BaselineHead> {
  let last = '';
  return pages(async () => {
    await setImmediate();
    const items = state.baseline.headsAfter(last, PAGE);
    last = items.at(-1)?.key ?? last;
    return { items, isLast: items.length < PAGE };
  });
}

type Page<T> = { readonly items: readonly T[]; readonly isLast: boolean };

function pages<T>(load: () => Promise<Page<T>> | Page<T>): Pages<T> {
  let page: Page<T> = { items: [], isLast: false };
  let index = 0;
  return {
    async peek() {
      while (index >= page.items.length && !page.isLast) {
        page = await load();
        index = 0;
      }
      return page.items[index];
    },
    next() {
      index++;
    },
  };
}
