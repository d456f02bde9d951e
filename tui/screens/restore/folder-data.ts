/** Loads one folder of a job at a point in time, and compares it with the current folder. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Subject } from './subject.ts';
import { subjectOf } from './subject.ts';
import type { At, Moments } from './time-travel.ts';

type Entry = Result<'history.folder'>['entries'][number];

/**
 * How an entry at the selected time differs from its current state. `rewritten`: the current version is another version
 * with the same content. `later`: the entry was created after the selected time. `uncertain`: the service may have
 * changed a version's date.
 */
export type Standing =
  | 'same'
  | 'rewritten'
  | 'changed'
  | 'gone'
  | 'later'
  | 'unknown'
  | 'uncertain';

export interface FolderRow {
  /** The path relative to the job's folder. The path of a folder ends with `/`. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly is: Standing;
  readonly was?: Entry | undefined;
  readonly now?: Entry | undefined;
}

export interface Folder {
  readonly rows: readonly FolderRow[];
  /** Whether the folder contains more entries than were loaded. */
  readonly isCut: boolean;
}

const PAGE = 1_000;
/** A time later than any version, even if the clocks of the service and of this machine differ. */
export const NOW = Number.MAX_SAFE_INTEGER;
/** The maximum number of entries. They take about 10 MB of memory, and users do not read longer lists. */
const MOST_ENTRIES = 20_000;

export async function readFolder(
  ui: Ui,
  subject: Subject,
  at: At,
  signal: AbortSignal,
): Promise<Folder> {
  const now = readEntries(ui, subject, NOW, signal);
  if (at === undefined) {
    const { entries, isCut } = await now;
    return { rows: rowsOf(entries, entries), isCut };
  }
  const [was, current] = await Promise.all([readEntries(ui, subject, at, signal), now]);
  return { rows: rowsOf(was.entries, current.entries), isCut: was.isCut || current.isCut };
}

interface Entries {
  readonly entries: readonly Entry[];
  readonly isCut: boolean;
}

async function readEntries(
  ui: Ui,
  { job, path }: Subject,
  at: number,
  signal: AbortSignal,
): Promise<Entries> {
  const entries: Entry[] = [];
  let after: Result<'history.folder'>['next'];
  do {
    const asked = { ...subjectOf(job, path), at, limit: PAGE, ...defined({ after }) };
    const page = await ui.call('history.folder', asked, { signal });
    entries.push(...page.entries);
    after = page.next;
  } while (after && entries.length < MOST_ENTRIES);
  return { entries, isCut: after !== undefined };
}

/** Returns the rows: folders first, then files, each sorted by name. */
function rowsOf(was: readonly Entry[], now: readonly Entry[]): readonly FolderRow[] {
  const before = new Map(was.map((entry) => [entry.path, entry]));
  const after = new Map(now.map((entry) => [entry.path, entry]));
  const rows = [...new Set([...before.keys(), ...after.keys()])].map((path) => {
    return rowOf(path, before.get(path), after.get(path));
  });
  return rows.sort((a, b) => {
    if (a.isFolder !== b.isFolder) return a.isFolder ? -1 : 1;
    return a.path < b.path ? -1 : 1;
  });
}

function rowOf(path: string, was: Entry | undefined, now: Entry | undefined): FolderRow {
  return { path, isFolder: path.endsWith('/'), was, now, is: standing(path, was, now) };
}

/** Compares an entry at two times. A folder that exists at both times is `unknown` until its content is compared. */
function standing(path: string, was: Entry | undefined, now: Entry | undefined): Standing {
  if (!was) return 'later';
  if (was.isUncertain && !path.endsWith('/')) return 'uncertain';
  if (!now) return 'gone';
  if (path.endsWith('/')) return 'unknown';
  if (was.versionId === now.versionId) return 'same';
  const isSame = was.etag !== undefined && was.etag === now.etag && was.sizeBytes === now.sizeBytes;
  return isSame ? 'rewritten' : 'changed';
}

/** The maximum number of changes that the user can step through. */
const MOST_MOMENTS = 1_000;

export async function readMoments(
  ui: Ui,
  { job, path }: Subject,
  signal: AbortSignal,
): Promise<Moments> {
  return ui.call('history.moments', { ...subjectOf(job, path), limit: MOST_MOMENTS }, { signal });
}

/** Returns whether any file below the folder changed after the time. */
export async function changedSince(
  ui: Ui,
  { job, path }: Subject,
  at: number,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = { ...subjectOf(job, path), limit: 1 };
  const { moments, isComplete } = await ui.call('history.moments', asked, { signal });
  const [newest] = moments;
  if (newest && newest.at > at) return true;
  if (!isComplete) throw new Error('it has too many versions to search');
  return false;
}
