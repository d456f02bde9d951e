/**
 * Provides pages of a job's queue. Rows from tables come in index order; for rows in memory, the smallest keys are
 * selected.
 */

import { defined } from '../../base/defined.ts';
import type { FilesInFlight } from '../../base/files-in-flight.ts';
import { compareUtf8 } from '../../object-store/rules/listing.ts';
import { damageProblems } from '../state/damage-problems.ts';
import type { QueueReason, QueueRow } from '../model/work-control.ts';
import { BUCKET } from './remote-changes.ts';
import { BEYOND_KEEP } from '../state/retained-versions.ts';
import { listKnown } from '../conflicts/resolve-conflicts.ts';
import type { Deferrals } from '../limits/deferrals.ts';
import type { Tracker } from '../model/tracker.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Retries } from '../transfer/retries.ts';
import type { Agenda } from './agenda.ts';

type Row = Omit<QueueRow, 'reason'>;

export interface QueueSource {
  count(): number;
  /** Returns up to `limit` rows after the cursor `after`. `next` is the last row's cursor if there may be more rows. */
  page(after: string | undefined, limit: number): { readonly rows: readonly Row[]; next?: string };
}

export function queueSources(parts: WorkParts): Readonly<Record<QueueReason, QueueSource>> {
  return {
    error: inMemory(() => errors(parts)),
    conflict: conflicts(parts),
    held: held(parts),
    drifted: inMemory(() => drifted(parts)),
    busy: inMemory(() => busy(parts)),
    waiting: inMemory(() => waiting(parts)),
    retained: retained(parts),
  };
}

/** Yields the job's problems. Omits busy files, because they have their own queue reason. */
function* errors({ state, tracker, retries }: WorkParts): Generator<Row> {
  for (const { path, message: detail } of damageProblems(state)) yield { path, detail };
  for (const { path, code, message } of tracker.allProblems())
    if (code !== 'busy')
      yield defined({ path, detail: message, until: retries.dueAt(path, false) });
}

function* drifted({ tracker }: WorkParts): Generator<Row> {
  for (const key of tracker.driftedKeys())
    yield { path: key, detail: 'another client changed the object; the file did not change' };
}

function* busy({ tracker, retries }: WorkParts): Generator<Row> {
  for (const path of retries.busyPaths()) {
    const detail = tracker.problemOf(path) ?? 'a program wrote to it while it was read';
    yield defined({ path, detail, until: retries.dueAt(path, true) });
  }
}

/** Yields changes that wait to be uploaded or compared. If several sources contain a path, it has only one row. */
function* waiting({ tracker, agenda, deferrals }: WorkParts): Generator<Row> {
  for (const path of tracker.keysUnderWay()) yield { path, detail: 'in progress' };
  for (const { key, until } of deferrals.waiting())
    if (!tracker.underWay(key))
      yield {
        path: key,
        detail: 'deferred, because its current version is too recent (minVersionInterval)',
        until,
      };
  for (const path of agenda.hints())
    if (!tracker.underWay(path) && !deferrals.isWaiting(path))
      yield { path, detail: 'changed in the folder; queued for a scan' };
  for (const path of agenda.changedKeys())
    if (path !== BUCKET && !tracker.underWay(path))
      yield { path, detail: 'changed in the bucket by another client; queued for a comparison' };
}

function conflicts({ state }: WorkParts): QueueSource {
  return {
    count: () => state.conflicts.countOpen() + state.held.countConflicts(),
    page(after, limit) {
      const { known, next } = listKnown(state, { limit, ...defined({ after }) });
      const rows = known.map(({ conflict: { path, side, wish } }) => ({
        path,
        detail: detailOf(side, wish),
      }));
      return { rows, ...defined({ next }) };
    },
  };
}

function detailOf(side: 'bucket' | 'folder', wish: string | undefined): string {
  if (wish !== undefined) return `resolution pending: ${wish}`;
  return side === 'bucket'
    ? 'the version in the bucket is superseded or held'
    : 'the file in the folder is superseded';
}

/**
 * Returns the changes that the mass-change guard holds. A key that is held for another reason is reported as a problem
 * instead.
 */
function held({ state }: WorkParts): QueueSource {
  return {
    count: () => state.heldChanges.count(),
    page(after, limit) {
      const { changes, next } = state.heldChanges.page(after ?? '', limit);
      const rows = changes.map(({ path, change, why }) => ({
        path,
        detail: why === undefined ? `${change}, held for review` : `${change}: ${why}`,
      }));
      return { rows, ...defined({ next }) };
    },
  };
}

function retained({ state }: WorkParts): QueueSource {
  return {
    count: () => state.retained.totals().versions,
    page(after = '', limit) {
      const [key = '', versionId = ''] = after.split('\0');
      const found = state.retained.after({ key, versionId }, limit);
      const rows = found.map(({ key: path, what, until }) => ({
        path,
        detail: what === BEYOND_KEEP ? 'version pruning removes it after its lock ends' : what,
        until,
      }));
      const last = found.length === limit ? found.at(-1) : undefined;
      return { rows, ...(last && { next: `${last.key}\0${last.versionId ?? ''}` }) };
    },
  };
}

/**
 * Returns a source for rows in memory. If a page ends between two problems of the same path, the second problem is
 * omitted.
 */
function inMemory(rows: () => Iterable<Row>): QueueSource {
  return {
    count() {
      let count = 0;
      for (const _ of rows()) count += 1;
      return count;
    },
    page(after, limit) {
      const found = smallest(rows(), after, limit);
      const last = found.length === limit ? found.at(-1) : undefined;
      return { rows: found, ...(last && { next: last.path }) };
    },
  };
}

/** Returns the first rows after a path. Keeps at most twice the requested number of rows in memory. */
function smallest(rows: Iterable<Row>, after: string | undefined, limit: number): readonly Row[] {
  const inOrder = (a: Row, b: Row) => compareUtf8(a.path, b.path);
  let found: Row[] = [];
  for (const row of rows) {
    if (after !== undefined && compareUtf8(row.path, after) <= 0) continue;
    found.push(row);
    if (found.length >= 2 * limit) found = found.toSorted(inOrder).slice(0, limit);
  }
  return found.toSorted(inOrder).slice(0, limit);
}

export interface WorkParts {
  readonly state: StateFile;
  readonly tracker: Tracker;
  readonly phase: { readonly scannedFiles: number | undefined };
  /** The large files that are being read before their upload. */
  readonly filesRead: FilesInFlight;
  readonly agenda: Pick<Agenda, 'hints' | 'changedKeys'>;
  readonly retries: Pick<Retries, 'busyPaths' | 'dueAt'>;
  readonly deferrals: Pick<Deferrals, 'isWaiting' | 'waiting'>;
}
