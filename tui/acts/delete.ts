/**
 * Objects and folders deleted: by delete markers where the bucket keeps versions, which can be undone, else for good.
 * What is below folders is listed twice: to tell how much it is, then to delete it page by page.
 */

import type { Ui } from '../ui/ui.ts';
import type { Question } from '../commands/command.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import { bytesText, countText, numberText } from '../../src/text/amounts.ts';
import { tellFailures } from './many.ts';
import type { Failure } from './many.ts';
import { deletionFacts } from './mirrored.ts';
import { nameToType, shownName } from './names.ts';

export interface Doomed {
  readonly place: BucketPlace;
  readonly objects: readonly { readonly key: string; readonly sizeBytes: number }[];
  /** Prefixes: all that is below them. */
  readonly folders: readonly string[];
  /** `Suspended`: a delete marker takes the place of a version without an id, which is gone. */
  readonly versioning: 'Enabled' | 'Suspended' | 'off' | 'not told';
}

/** As many as the protocol lists, and deletes, at once. */
const PAGE_ROWS = 1_000;
/** Ids of markers that are remembered for the way back: some megabytes. */
const MOST_UNDONE = 20_000;

/** Nothing is asked where one object gets a delete marker that no job takes away again. */
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
    folders.length === 0 ? [] : [`With all that is below ${countText(folders.length, 'folder')}.`];
  if (versioning === 'Enabled') {
    return {
      title: `Delete ${what}?`,
      facts: [
        ...below,
        `${isOne ? 'It' : 'Each'} gets a delete marker; all versions remain, and this can be undone.`,
        ...mirrored,
      ],
    };
  }
  const name = isOne && first ? nameToType(first.key, place.bucket) : place.bucket;
  return {
    title: `Delete ${what} for good?`,
    facts: [...below, FOR_GOOD[versioning], ...mirrored],
    type: name,
  };
}

const FOR_GOOD = {
  off: 'The bucket keeps no versions: nothing brings them back.',
  Suspended: 'Versioning is suspended: what was stored meanwhile has no version that would remain.',
  'not told': 'The service does not tell us whether the bucket keeps versions: it may be for good.',
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

interface Listed {
  readonly key: string;
  readonly sizeBytes: number;
}

/** All keys below a prefix, as the service lists them. */
export async function* pagesBelow(
  ui: Ui,
  place: BucketPlace,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Listed[], void> {
  let token: string | undefined;
  do {
    signal.throwIfAborted();
    const from = token === undefined ? {} : { continuationToken: token };
    const params = { ...asked(place), prefix, maxKeys: PAGE_ROWS, ...from };
    const { objects, nextToken } = await ui.call('objects.list', params, { signal });
    if (objects.length > 0) yield objects;
    token = nextToken;
  } while (token !== undefined);
}

/** A delete marker that was added. */
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
  /** Called after each change. `returned`: the first key that an undo brought back. */
  readonly changed: (returned?: string) => void;
  /** Number of versions of a single object that remain below its marker, if known. */
  readonly remain?: number | undefined;
}

export async function deleteAll(ui: Ui, doomed: Doomed, told: Deletion): Promise<void> {
  const outcome: Outcome = { deleted: 0, made: [], failures: [] };
  try {
    await ui.work('deleting', async (work) => {
      work.left = 'it ends; what is not deleted yet stays';
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
    told.changed();
    tellOutcome(ui, doomed, outcome, told);
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

function tellOutcome(
  ui: Ui,
  doomed: Doomed,
  { deleted, made, failures }: Outcome,
  { changed, remain }: Deletion,
): void {
  const [first] = doomed.objects;
  tellFailures(ui, 'deleting', failures);
  if (deleted === 0) return;
  const isOne = deleted === 1 && first !== undefined && doomed.folders.length === 0;
  const what = isOne ? shownName(first.key, ui.look) : countText(deleted, 'object');
  if (made.length < deleted || made.length > MOST_UNDONE) return ui.tell(`deleted ${what}`);
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
    tellFailures(ui, 'undoing', left);
    if (left.length > 0) throw new Error(`undo: ${countText(left.length, 'object')} left deleted`);
  };
  const undone = `${what} ${isOne || made.length === 1 ? 'is' : 'are'} back`;
  ui.tellUndoable(`deleted ${what}: ${markers}, ${remains}`, undo, undone);
}

/** Those that could not be removed. */
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
