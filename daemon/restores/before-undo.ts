/** Uploads and records the local state of each path before an undo changes it. */

import { lstatSync, readdirSync } from 'node:fs';

import { MirrorError } from '../../src/mirror/model/mirror-error.ts';
import { parentOf } from '../../src/mirror/model/local-path.ts';
import { encodeModeAndTime } from '../../src/mirror/objects/object-metadata.ts';
import type { SavedVersion, SaveLocal } from '../../src/mirror/transfer/save-version.ts';
import type { UndoStep } from '../../src/restore/undo.ts';
import type { UndoRecorder } from './undo-record.ts';

type Metadata = Readonly<Record<string, string>>;

interface BeforeUndo {
  /** The absolute path of the job's folder. */
  readonly root: string;
  readonly prefix: string;
  readonly record: UndoRecorder;
  readonly saveLocal: SaveLocal;
  readonly signal: AbortSignal;
}

/**
 * Returns a function that uploads and records the local state of a path. It rejects with MirrorError
 * `NotSaved` if the path must not be changed.
 */
export function beforeUndo({ root, prefix, record, saveLocal, signal }: BeforeUndo) {
  const statsOf = (path: string) =>
    lstatSync(`${root}/${path}`, { bigint: true, throwIfNoEntry: false });
  return async ({ key, current, wanted }: UndoStep): Promise<SavedVersion | undefined> => {
    const path = key.slice(prefix.length);
    const isFolder = path.endsWith('/');
    const local = isFolder ? path.slice(0, -1) : path;
    const missing: string[] = [];
    for (let folder = parentOf(local); folder !== '' && !statsOf(folder); folder = parentOf(folder))
      missing.push(folder);
    for (const folder of missing) record.add({ path: `${folder}/` });
    const seen = missing.length > 0 ? undefined : statsOf(local);
    if (!seen) {
      record.add({ path });
      return undefined;
    }
    if (seen.isDirectory()) {
      if (!isFolder && readdirSync(`${root}/${path}`).length > 0)
        throw new MirrorError(
          'NotSaved',
          `cannot replace ${path}: it is a folder that is not empty`,
        );
      if (current && current.versionId !== wanted.versionId)
        record.add({ path, versionId: current.versionId });
      return undefined;
    }
    const saved = await saveLocal(local, seen, signal);
    const metadata = encodeModeAndTime(seen);
    // If the local file differs only in its modification time, no version is created for it.
    const isKept = saved.versionId === wanted.versionId && isWithin(metadata, saved.metadata);
    if (!isKept) record.add({ path: local, versionId: saved.versionId, metadata });
    return saved;
  };
}

function isWithin(some: Metadata, all: Metadata = {}): boolean {
  return Object.entries(some).every(([name, value]) => all[name] === value);
}
