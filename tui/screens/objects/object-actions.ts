/** Actions on the selected objects below a prefix. */

import { listBelow } from '../../acts/below.ts';
import { askDeletion, deleteAll } from '../../acts/delete.ts';
import type { Doomed } from '../../acts/delete.ts';
import { openLockForm, switchHold } from '../../acts/lock.ts';
import type { Lockable } from '../../acts/lock.ts';
import { openAclForm } from '../../acts/acl.ts';
import { openLinkForm } from '../../acts/link.ts';
import { openMetadataForm } from '../../acts/metadata.ts';
import { openSaveAll } from '../../acts/save-all.ts';
import { openSaveForm } from '../../acts/save.ts';
import { openTagsForm, openTagsOfMany } from '../../acts/tags.ts';
import { askUndeletion, findDeleted, undelete } from '../../acts/undelete.ts';
import type { Undeletion } from '../../acts/undelete.ts';
import { openUploadForm } from '../../acts/upload.ts';
import type { Ui } from '../../ui/ui.ts';
import type { AskingAction } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { BucketPlace, ObjectPlace } from '../../data/place.ts';
import type { OfPrefix } from '../../commands/objects-commands.ts';
import { PreviewScreen } from '../preview/preview-screen.ts';
import type { BucketKnowledge } from './bucket-knowledge.ts';
import { isStored } from './object-rows.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';

export interface ObjectsContext {
  readonly ui: Ui;
  readonly place: BucketPlace;
  readonly known: BucketKnowledge;
  readonly prefix: () => string;
  /** Returns the row under the cursor. */
  readonly current: () => ObjectRow | undefined;
  /** Returns the marked rows, or the row under the cursor if none is marked. */
  readonly chosen: () => readonly ObjectRow[];
  /** Called after a change, to clear the marks and reload the list. The cursor moves to the key `returned`. */
  readonly changed: (returned?: string) => void;
}

export function objectActions(at: ObjectsContext): Omit<ActionsFor<'objects'>, OfPrefix> {
  return {
    'objects.versions': {
      why: () => whyNoObject(at) ?? at.known.whyNoVersions,
      run: () => withObject(at, (object) => at.ui.openVersions(object)),
    },
    'objects.lock': {
      asks: 'in its form',
      why: () => at.known.whyNoLock ?? whyNothingToLock(at),
      run: async () => openLockForm(at.ui, await lockables(at), at.changed),
    },
    'objects.hold': {
      why: () => at.known.whyNoLock ?? whyNothingToLock(at),
      run: async () => switchHold(at.ui, await lockables(at), at.changed),
    },
    'objects.delete': deletion(at),
    'objects.restore': restoration(at),
    'objects.preview': {
      why: () => whyNoContent(at),
      run: () => withObject(at, (object) => at.ui.router.open(new PreviewScreen(at.ui, object))),
    },
    'objects.link': {
      why: () => whyNoContent(at),
      run: () => withObject(at, (object) => openLinkForm(at.ui, object)),
    },
    'objects.tags': {
      why: () =>
        storedOf(at).length > 1 || foldersOf(at).length > 0 ? undefined : whyNoContent(at),
      run: async () => {
        if (storedOf(at).length > 1 || foldersOf(at).length > 0)
          return openTagsOfMany(at.ui, await allChosen(at), at.changed);
        return withObject(at, (object) => openTagsForm(at.ui, object, at.changed));
      },
    },
    'objects.metadata': {
      why: () => whyNoContent(at),
      run: () => withObject(at, (object) => openMetadataForm(at.ui, object, at.changed)),
    },
    'objects.acl': {
      why: () => whyNoContent(at),
      run: () => withObject(at, (object) => openAclForm(at.ui, object, at.changed)),
    },
    'objects.upload': {
      run: () =>
        openUploadForm(at.ui, { place: at.place, prefix: at.prefix(), changed: at.changed }),
    },
    'objects.save': {
      why: () => (savable(at).length > 0 ? undefined : 'choose objects or folders'),
      run: () => save(at),
    },
  };
}

/** Returns the object under the cursor without a version id, so that it refers to the current version. */
function objectOf(at: ObjectsContext): ObjectPlace | undefined {
  const row = at.current();
  return isStored(row) ? { ...at.place, key: row.key } : undefined;
}

function withObject(
  at: ObjectsContext,
  run: (object: ObjectPlace) => void | Promise<void>,
): void | Promise<void> {
  const object = objectOf(at);
  return object && run(object);
}

function whyNoObject(at: ObjectsContext): string | undefined {
  return objectOf(at) ? undefined : 'choose an object';
}

/**
 * Returns why an action on the current version is unavailable, for example because a deleted object has no current
 * version.
 */
function whyNoContent(at: ObjectsContext): string | undefined {
  const row = at.current();
  if (row?.kind === 'object') return undefined;
  return row?.kind === 'deleted' ? 'it is deleted: press v for its versions' : 'choose an object';
}

function storedOf(at: ObjectsContext): StoredRow[] {
  return at.chosen().filter((row): row is StoredRow => row.kind === 'object');
}

function foldersOf(at: ObjectsContext): string[] {
  return at.chosen().flatMap((row) => (row.kind === 'folder' ? [row.prefix] : []));
}

function whyNothingToLock(at: ObjectsContext): string | undefined {
  const some = storedOf(at).length > 0 || foldersOf(at).length > 0;
  return some ? undefined : 'choose objects or folders';
}

/** Returns the selected objects and all objects below the selected folders. */
async function allChosen(at: ObjectsContext): Promise<Lockable[]> {
  const { target, bucket } = at.place;
  const rows = storedOf(at).map((row) => {
    const { key, sizeBytes } = row;
    return { target, bucket, key, sizeBytes, lock: at.known.locksOf(row) };
  });
  const folders = foldersOf(at);
  const below = folders.length === 0 ? [] : await listBelow(at.ui, at.place, folders);
  if (folders.length > 0 && rows.length + below.length === 0)
    throw new Error('the folder has no objects');
  return [...rows, ...below.map(({ key, sizeBytes }) => ({ target, bucket, key, sizeBytes }))];
}

/**
 * Returns the versions to lock. The lock of a single object is loaded again, because the form shows which changes the
 * lock allows.
 */
async function lockables(at: ObjectsContext): Promise<Lockable[]> {
  const objects = await allChosen(at);
  const [only] = objects;
  if (!only || objects.length > 1) return objects;
  return [{ ...only, lock: await at.known.askAnew(only.key) }];
}

function savable(at: ObjectsContext): readonly ObjectRow[] {
  return at.chosen().filter(({ kind }) => kind === 'object' || kind === 'folder');
}

function save(at: ObjectsContext): void {
  const rows = savable(at);
  const [only] = rows;
  if (rows.length === 1 && only?.kind === 'object') {
    return openSaveForm(at.ui, { ...at.place, key: only.key });
  }
  const folders = foldersOf(at);
  const keys = rows.filter(isStored).map(({ key }) => key);
  openSaveAll(at.ui, { place: at.place, prefix: at.prefix(), keys, folders });
}

function deletion(at: ObjectsContext): AskingAction {
  // The selection may change while the question is open, so the deletion applies to the rows that the question named.
  let asked: { readonly doomed: Doomed; readonly remain: number | undefined } | undefined;
  return {
    why: () => {
      const rows = at.chosen().filter(({ kind }) => kind !== 'up');
      if (rows.length === 0) return 'choose an object or a folder';
      const some = rows.some(({ kind }) => kind !== 'deleted');
      return some ? undefined : 'it is deleted already: press v for its versions';
    },
    ask: async () => {
      const rows = storedOf(at);
      const facts = rows[0] && at.known.factsOf(rows[0]);
      const remain = rows.length === 1 ? facts?.versions.count : undefined;
      asked = { doomed: await doomed(at), remain };
      return askDeletion(at.ui, asked.doomed);
    },
    run: async () => {
      if (asked)
        await deleteAll(at.ui, asked.doomed, { changed: at.changed, remain: asked.remain });
      asked = undefined;
    },
  };
}

function restoration(at: ObjectsContext): AskingAction {
  let found: Undeletion | undefined;
  return {
    why: () => {
      const isDeleted = at.chosen().some(({ kind }) => kind === 'deleted');
      const why = 'choose folders, or deleted objects (D shows them)';
      return at.known.whyNoVersions ?? (isDeleted || foldersOf(at).length > 0 ? undefined : why);
    },
    ask: async () => {
      const keys = at.chosen().flatMap((row) => (row.kind === 'deleted' ? [row.key] : []));
      found = await findDeleted(at.ui, at.place, { keys, folders: foldersOf(at) });
      return askUndeletion(at.ui, found);
    },
    run: async () => {
      if (found) await undelete(at.ui, found, at.changed);
      found = undefined;
    },
  };
}

async function doomed(at: ObjectsContext): Promise<Doomed> {
  const versioning = await at.known.askVersioning();
  return { place: at.place, objects: storedOf(at), folders: foldersOf(at), versioning };
}
