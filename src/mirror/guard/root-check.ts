/** The root as a job remembers it: the first that is seen is the one; later ones must be the same. */

import { lstatSync } from 'node:fs';

import { endLoss, noteLoss } from './held-deletes.ts';
import { MirrorError } from '../model/mirror-error.ts';
import { forgetMounts } from './remembered-mounts.ts';
import { compareRoot, holdsHalf, identifyRoot, type RootIdentity } from '../local/root.ts';
import type { StateFile } from '../state/state.ts';
import type { BaselineEntry } from '../model/types.ts';

/** Name of a row in the state's `meta`. */
const ROOT = 'root';

/** So many files that are as they were tell a folder from another one with the same names in it. */
const SAMPLE_FILES = 32;

/** A copy keeps neither inode nor change time. Some tools set times to whole seconds. */
function isAt(root: string, { path, sizeBytes, mtimeMs }: BaselineEntry): boolean {
  try {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    return stats?.size === sizeBytes && Math.abs(stats.mtimeMs - mtimeMs) < 1_000;
  } catch {
    return false;
  }
}

/** Throws MirrorError `RootMissing` when what is missing below `root` now must not count as deleted. `at`: the time now. */
export function checkRoot(root: string, state: StateFile, at: number): void {
  const now = identifyRoot(root);
  const text = state.meta(ROOT);
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

/** The folder that is at `root` now is the one to mirror. Throws MirrorError `FolderMissing`. */
export function acceptRoot(root: string, state: StateFile): void {
  const now = identifyRoot(root);
  if (!now)
    throw new MirrorError('FolderMissing', `cannot accept ${root}: the folder does not exist`);
  state.setMeta(ROOT, JSON.stringify(now));
  endLoss(state);
  forgetMounts(state);
}
