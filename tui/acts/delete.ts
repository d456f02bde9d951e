/**
 * Deletes objects and folders. In a bucket with versioning, a deletion adds delete markers and can be undone; otherwise
 * it is permanent. The objects below a folder are listed twice: first to count them for the question, then to delete
 * them page by page.
 */

import type { Ui } from '../ui/ui.ts';
import type { Question } from '../commands/command.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import { isRetained } from '../text/locks.ts';
import { bytesText, countText, numberText } from '../../src/text/amounts.ts';
import { PAGE_ROWS, pagesBelow } from './below.ts';
import type { Listed } from './below.ts';
import { showFailures } from './many.ts';
import type { Failure } from './many.ts';
import { deletionFacts } from './mirrored.ts';
import { nameToType, shownName } from './names.ts';
import { MOST_LOCKS_READ, readLocks } from './read-locks.ts';

export interface Doomed {
  readonly place: BucketPlace;
  readonly objects: readonly { readonly key: string; readonly sizeBytes: number }[];
  /** The prefixes to delete, with all objects below them. */
  readonly folders: readonly string[];
  /**
   * The versioning state. If it is `Suspended`, a delete marker replaces the version with the id `null`, and that
   * version is lost.
   */
  readonly versioning: 'Enabled' | 'Suspended' | 'off' | 'unknown';
}

/** The maximum number of delete markers whose ids are remembered for an undo. They take a few megabytes. */
const MOST_UNDONE = 20_000;

/**
 * Returns the question before a deletion. Returns undefined if a single object gets a delete marker, unless a job backs
 * up to its key.
 */
export async function askDeletion(ui: Ui, doomed: Doomed): Promise<Question | undefined> {
  const { objects, folders, place, versioning } = doomed;
  const [first] = objects;
  const isOne = objects.length === 1 && folders.length === 0;
  const mirrored = deletionFacts(ui, place, [...objects.map(({ key }) => key), ...folders]);
  if (isOne && versioning === 'Enabled' && mirrored.length === 0) return undefined;
  const { count, bytes } = await measured(ui, doomed);
  const named = isOne && first ? shownName(first.key, ui.look) : countText(count, 'object');
  const what = `${named}, ${bytesText(bytes)}`;
  const below =
    folders.length === 0
      ? []
      : [`Including all objects below ${countText(folders.length, 'folder')}.`];
  if (versioning === 'Enabled') {
    return {
      title: `Delete ${what}?`,
      facts: [
        ...below,
        `${isOne ? 'It' : 'Each'} gets a delete marker; all versions remain, and this can be undone.`,
        ...(await lockFacts(ui, doomed)),
        ...mirrored,
      ],
    };
  }
  const name = isOne && first ? nameToType(first.key, place.bucket) : place.bucket;
  return {
    title: `Delete ${what} permanently?`,
    facts: [...below, FOR_GOOD[versioning], ...mirrored],
    type: name,
  };
}

/**
 * Returns facts about locks for the question. A lock does not prevent a delete marker. The locks of objects below
 * folders are not read.
 */
async function lockFacts(ui: Ui, { place, objects }: Doomed): Promise<string[]> {
  if (objects.length < 2) return [];
  const now = ui.clock.now();
  const locks = await readLocks(ui, place, objects);
  const locked = locks.filter((lock) => lock && (lock.legalHold || isRetained(lock, now)));
  if (locked.length === 0) return [];
  const among =
    objects.length > MOST_LOCKS_READ ? ` of the first ${numberText(MOST_LOCKS_READ)}` : '';
  const [are, their] = locked.length === 1 ? ['is', 'its'] : ['are', 'their'];
  return [
    `${numberText(locked.length)}${among} ${are} locked: ${their} versions cannot be deleted before the lock ends.`,
  ];
}

const FOR_GOOD = {
  off: 'The bucket keeps no versions: this cannot be undone.',
  Suspended: 'Versioning is suspended: objects stored since then are deleted permanently.',
  unknown: "The bucket's versioning is unknown: the objects may be deleted permanently.",
} as const;

async function measured(
  ui: Ui,
  { objects, folders, place }: Doomed,
): Promise<{ count: number; bytes: number }> {
  let [count, bytes] = [objects.length, objects.reduce((sum, each) => sum + each.sizeBytes, 0)];
  if (folders.length === 0) return { count, bytes };
  await ui.work('counting', async (work) => {
    for (const prefix of folders) {
      for await (const page of pagesBelow(ui, place, prefix, work.abort.signal)) {
        count += page.length;
        bytes += page.reduce((sum, each) => sum + each.sizeBytes, 0);
        work.progress = numberText(count);
        ui.changes.soon();
      }
    }
  });
  return { count, bytes };
}

/** A delete marker that this action added. */
interface Marker {
  key: string;
  versionId: string;
}

interface Outcome {
  deleted: number;
  readonly made: Marker[];
  readonly failures: Failure[];
}

export interface Deletion {
  /** Called after each change. `returned` is the first key that an undo restored. */
  readonly changed: (returned?: string) => void;
  /** The number of a single object's versions that remain below its delete marker, if known. */
  readonly remain?: number | undefined;
}

export async function deleteAll(ui: Ui, doomed: Doomed, deletion: Deletion): Promise<void> {
  const outcome: Outcome = { deleted: 0, made: [], failures: [] };
  try {
    await ui.work('deleting', async (work) => {
      work.left = 'it stops; the remaining objects are not deleted';
      const batch = async (page: readonly Listed[]) => {
        await deletePage(ui, doomed.place, page, outcome);
        work.progress = numberText(outcome.deleted);
        ui.changes.soon();
      };
      const { signal } = work.abort;
      for (let start = 0; start < doomed.objects.length; start += PAGE_ROWS) {
        signal.throwIfAborted();
        await batch(doomed.objects.slice(start, start + PAGE_ROWS));
      }
      for (const prefix of doomed.folders) {
        for await (const page of pagesBelow(ui, doomed.place, prefix, signal)) await batch(page);
      }
    });
  } finally {
    deletion.changed();
    showOutcome(ui, doomed, outcome, deletion);
  }
}

async function deletePage(
  ui: Ui,
  place: BucketPlace,
  page: readonly Listed[],
  outcome: Outcome,
): Promise<void> {
  const objects = page.map(({ key }) => ({ key }));
  const answer = await ui.call('objects.deleteMany', { ...asked(place), objects });
  outcome.deleted += answer.deleted;
  outcome.made.push(...(answer.made ?? []));
  outcome.failures.push(
    ...answer.failed.map(({ key, message, code }) => ({ name: key, reason: message || code })),
  );
}

function showOutcome(
  ui: Ui,
  doomed: Doomed,
  { deleted, made, failures }: Outcome,
  { changed, remain }: Deletion,
): void {
  const [first] = doomed.objects;
  showFailures(ui, 'deleting', failures);
  if (deleted === 0) return;
  const isOne = deleted === 1 && first !== undefined && doomed.folders.length === 0;
  const what = isOne ? shownName(first.key, ui.look) : countText(deleted, 'object');
  if (made.length < deleted || made.length > MOST_UNDONE) return ui.notify(`deleted ${what}`);
  const remains =
    remain === undefined
      ? 'all versions remain'
      : `${countText(remain, 'version')} ${remain === 1 ? 'remains' : 'remain'}`;
  const markers = isOne
    ? 'added a delete marker'
    : `added ${countText(made.length, 'delete marker')}`;
  const undo = async () => {
    const left = await removeMarkers(ui, doomed.place, made);
    changed(made[0]?.key);
    showFailures(ui, 'undoing', left);
    if (left.length > 0) throw new Error(`undo: ${countText(left.length, 'object')} left deleted`);
  };
  const undone = `${what} ${isOne || made.length === 1 ? 'is' : 'are'} back`;
  ui.notifyUndoable(`deleted ${what}: ${markers}, ${remains}`, undo, undone);
}

/** Adds a delete marker to each object. Throws if some objects could not be deleted. */
export async function addDeleteMarkers(
  ui: Ui,
  place: BucketPlace,
  keys: readonly string[],
): Promise<void> {
  const outcome: Outcome = { deleted: 0, made: [], failures: [] };
  for (let start = 0; start < keys.length; start += PAGE_ROWS) {
    const page = keys.slice(start, start + PAGE_ROWS).map((key) => ({ key, sizeBytes: 0 }));
    await deletePage(ui, place, page, outcome);
  }
  showFailures(ui, 'undoing', outcome.failures);
  if (outcome.failures.length > 0)
    throw new Error(`undo: ${countText(outcome.failures.length, 'object')} left`);
}

/** Removes the delete markers, and returns those that could not be removed. */
async function removeMarkers(
  ui: Ui,
  place: BucketPlace,
  made: readonly Marker[],
): Promise<Failure[]> {
  const left: Failure[] = [];
  for (let start = 0; start < made.length; start += PAGE_ROWS) {
    const objects = made.slice(start, start + PAGE_ROWS);
    const { failed } = await ui.call('objects.deleteMany', { ...asked(place), objects });
    left.push(...failed.map(({ key, message }) => ({ name: key, reason: message })));
  }
  return left;
}
