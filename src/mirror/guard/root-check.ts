/**
 * Checks that the root is still the folder that the job first mirrored, because another folder at the same path would
 * look like a mass deletion.
 */

import { lstatSync } from 'node:fs';

import { endLoss, noteLoss } from './prior-deletes.ts';
import { MirrorError } from '../model/mirror-error.ts';
import {
  compareRoot,
  holdsHalf,
  identifyRoot,
  isCertainlyRoot,
  type RootIdentity,
} from '../local/root.ts';
import type { StateFile } from '../state/state-file.ts';
import type { BaselineEntry } from '../model/types.ts';
import type { Mounts } from '../local/exclude.ts';

/** Names of the values in the job's state file that identify the root and its mounts. */
const ROOT = 'root';
const MOUNTS = 'mounts';

/** Number of files to compare. It is large enough to distinguish the folder from another one with the same names. */
const SAMPLE_FILES = 32;

/**
 * Returns whether the file exists with the same size and, within 1 s, the same modification time. Nothing else is
 * compared: a copied folder has other inode numbers and change times, and some tools round times to seconds.
 */
function isAt(root: string, { path, sizeBytes, mtimeMs }: BaselineEntry): boolean {
  try {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    return stats?.size === sizeBytes && Math.abs(stats.mtimeMs - mtimeMs) < 1_000;
  } catch {
    return false;
  }
}

/**
 * Checks the folder at `root`. Throws MirrorError `RootMissing` if it is missing or is another folder, because missing
 * files must not count as deleted then. `at` is the current time in milliseconds since 1970. With `isQuick`, lists the
 * folder only if its identity is not conclusive.
 */
export function checkRoot(
  root: string,
  state: StateFile,
  { at, isQuick = false }: { readonly at: number; readonly isQuick?: boolean | undefined },
): void {
  const text = state.meta(ROOT);
  if (isQuick && text !== undefined && isCertainlyRoot(root, JSON.parse(text) as RootIdentity))
    return;
  const now = identifyRoot(root);
  const known = text === undefined ? now : (JSON.parse(text) as RootIdentity);
  const { baseline } = state;
  const holdsFiles = () => holdsHalf(baseline.sample(SAMPLE_FILES), (row) => isAt(root, row));
  const comparison = compareRoot(known, now, { files: baseline.totals().files, holdsFiles });
  if (comparison !== 'same') {
    noteLoss(state, at);
    throw new MirrorError('RootMissing', `cannot back up ${root}: ${comparison.reason}`);
  }
  endLoss(state);
  const fresh = JSON.stringify(now);
  if (fresh !== text) state.setMeta(ROOT, fresh);
}

/**
 * Accepts the folder that is now at `root` as the job's folder. Throws MirrorError `FolderMissing` if `root` is not a
 * folder.
 */
export function acceptRoot(root: string, state: StateFile): void {
  const now = identifyRoot(root);
  if (!now)
    throw new MirrorError('FolderMissing', `cannot accept ${root}: the folder does not exist`);
  state.setMeta(ROOT, JSON.stringify(now));
  endLoss(state);
  forgetMounts(state);
}

/**
 * Remembers the file systems that are mounted inside a root. Files on a file system that is no longer mounted do not
 * count as deleted.
 */
export function rememberMounts(state: StateFile): Mounts {
  const known = () => new Set(JSON.parse(state.meta(MOUNTS) ?? '[]') as string[]);
  let paths = known();
  return {
    has: (path) => paths.has(path) && (paths = known()).has(path),
    note: (path) => {
      if (paths.has(path)) return;
      paths.add(path);
      state.setMeta(MOUNTS, JSON.stringify([...paths]));
    },
  };
}

/** Forgets all mounts. Later checks expect only file systems that the job finds mounted after this call. */
function forgetMounts(state: StateFile): void {
  state.setMeta(MOUNTS, '[]');
}
