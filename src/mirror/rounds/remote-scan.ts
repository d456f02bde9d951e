/**
 * Finds the keys whose current version differs from the baseline. Merges the bucket listing and the baseline in key
 * order, so that memory use depends only on the number of differences. A listing contains less information than a HEAD
 * response and may be stale, so differences are examined before any action.
 */

import { setImmediate } from 'node:timers/promises';

import { defined } from '../../base/defined.ts';
import type { VersionPage } from '../../object-store/listing.ts';
import { compareUtf8 } from '../../object-store/rules/listing.ts';
import { RESERVED_FOLDER } from '../model/local-path.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import type { BaselineHead } from '../state/baseline-table.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Destination } from '../objects/destination.ts';

/** Name of the value in the job's state that stores the time of the last listing. */
const REMOTE_SCANNED_AT = 'remote scanned at';
/** Number of baseline rows or listed keys per page. */
const PAGE = 1_000;

interface Pages<T> {
  /** Returns the current element without consuming it; undefined at the end. */
  peek(): Promise<T | undefined>;
  next(): void;
}

interface ListedHead {
  readonly key: string;
  readonly etag: string;
  readonly sizeBytes: number;
  /** Version id; absent if objects are listed instead of versions. */
  readonly versionId?: string;
}

interface ScanOptions {
  /**
   * Lists versions instead of objects, to detect a version with the same content that another client wrote. A job with
   * locks must detect it, because such a version has no lock.
   */
  readonly byVersion: boolean;
  readonly signal: AbortSignal;
}

/** Returns when the whole bucket was last compared with the baseline, in milliseconds since 1970. */
export function listedAt(state: Pick<StateFile, 'meta'>): number | undefined {
  const at = state.meta(REMOTE_SCANNED_AT);
  return at === undefined ? undefined : Number(at);
}

export function noteListed(state: Pick<StateFile, 'setMeta'>, now: number): void {
  state.setMeta(REMOTE_SCANNED_AT, String(now));
}

/** Returns the current versions that differ from the baseline, by their key relative to the prefix. */
export async function scanRemote(
  destination: Destination,
  state: StateFile,
  { byVersion, signal }: ScanOptions,
): Promise<Map<string, RemoteHead>> {
  const differences = new Map<string, RemoteHead>();
  const heads = byVersion
    ? headPages(destination, listCurrentVersions, signal)
    : headPages(destination, listObjects, signal);
  const rows = rowPages(state);
  for (;;) {
    const [head, row] = [await heads.peek(), await rows.peek()];
    if (!head && !row) return differences;
    const order = !head ? 1 : !row ? -1 : compareUtf8(head.key, row.key);
    if (order > 0 && row) differences.set(row.key, 'absent');
    else if (head && (order < 0 || !row || !isSameVersion(head, row)))
      differences.set(head.key, { etag: head.etag, sizeBytes: head.sizeBytes, listed: true });
    if (order <= 0) heads.next();
    if (order >= 0) rows.next();
  }
}

/** Returns whether a listed version is the version in the baseline. If either has no version id, compares the ETags. */
function isSameVersion(head: ListedHead, row: BaselineHead): boolean {
  if (head.etag !== row.etag) return false;
  if (head.versionId === undefined || row.versionId === null) return true;
  return head.versionId === row.versionId;
}

type ListPage<C> = (
  destination: Destination,
  cursor: C | undefined,
  signal: AbortSignal,
) => Promise<{ readonly heads: readonly ListedHead[]; readonly next: C | undefined }>;

const listObjects: ListPage<string> = async ({ store, bucket, prefix }, token, signal) => {
  const request = { bucket, prefix, maxKeys: PAGE, ...defined({ continuationToken: token }) };
  const { objects, nextToken } = await store.listObjects(request, { signal });
  return { heads: objects, next: nextToken };
};

const listCurrentVersions: ListPage<NonNullable<VersionPage['next']>> = async (
  { store, bucket, prefix },
  cursor,
  signal,
) => {
  const request = { bucket, prefix, maxKeys: PAGE, ...cursor };
  const { versions, next } = await store.listVersions(request, { signal });
  const heads = versions.filter(({ kind, isLatest }) => isLatest && kind === 'version');
  return { heads, next };
};

function headPages<C>(
  destination: Destination,
  list: ListPage<C>,
  signal: AbortSignal,
): Pages<ListedHead> {
  const { prefix } = destination;
  let cursor: C | undefined;
  return pages(async () => {
    // The embedded store answers without yielding to the event loop, so listing a million keys would block it.
    await setImmediate();
    const { heads, next } = await list(destination, cursor, signal);
    cursor = next;
    const items = heads
      .map((head) => below(prefix, head))
      .filter(({ key }) => key !== '' && !key.startsWith(`${RESERVED_FOLDER}/`));
    return { items, isLast: next === undefined };
  });
}

function below(prefix: string, { key, etag, sizeBytes, versionId }: ListedHead): ListedHead {
  return { key: key.slice(prefix.length), etag, sizeBytes, ...defined({ versionId }) };
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
