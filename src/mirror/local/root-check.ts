/** The root as a job remembers it: the first that is seen is the one; later ones must be the same. */

import { MirrorError } from '../mirror-error.ts';
import { forgetMounts } from './mounts.ts';
import { compareRoot, identifyRoot, type RootIdentity } from './root.ts';
import type { StateFile } from '../state/state.ts';

/** Name of a row in the state's `meta`. */
const ROOT = 'root';

/** Throws MirrorError `RootMissing` when what is missing below `root` now must not count as deleted. */
export function checkRoot(root: string, state: StateFile): void {
  const now = identifyRoot(root);
  const text = state.meta(ROOT);
  const known = text === undefined ? now : (JSON.parse(text) as RootIdentity);
  const comparison = compareRoot(known, now, state.baseline.totals().files);
  if (comparison !== 'same')
    throw new MirrorError('RootMissing', `mirror ${root}: ${comparison.reason}`);
  const fresh = JSON.stringify(now);
  if (fresh !== text) state.setMeta(ROOT, fresh);
}

/** The folder that is at `root` now is the one to mirror. Throws MirrorError `FolderMissing`. */
export function acceptRoot(root: string, state: StateFile): void {
  const now = identifyRoot(root);
  if (!now) throw new MirrorError('FolderMissing', `accept root: there is no folder at ${root}`);
  state.setMeta(ROOT, JSON.stringify(now));
  forgetMounts(state);
}
