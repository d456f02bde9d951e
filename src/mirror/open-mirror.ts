/** Opens a job's mirror, and replaces an empty or damaged state file with a new one. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDamagedDatabase } from '../base/errors.ts';
import type { MirrorOptions, Mirror } from './mirror.ts';
import { finishRebuild, isEmptied, replaceState } from './state/rebuild-state.ts';
import { STATE_FILE, openStateFile, type StateFile } from './state/state-file.ts';
import { FolderMirror } from './job.ts';
import { provenanceKey } from './objects/provenance-key.ts';
import { Provenance } from './objects/provenance.ts';
import { defined } from '../base/defined.ts';
import { rememberMounts } from './guard/root-check.ts';
import type { FolderTree } from './local/tree/folder-tree.ts';
import { openFolderTree } from './local/tree/folder-trees.ts';

/**
 * Opens a job's mirror. Throws MirrorError `RootProtected` if the root is inside one of Holdfast's own folders,
 * `FolderMissing` if one of these folders does not exist, and `StateUnusable` if the state cannot be used.
 */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { stateDir } = options;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const path = join(stateDir, STATE_FILE);
  finishRebuild(path);
  try {
    if (!isEmptied(path)) return openWith(options, openStateFile(path));
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
  }
  replaceState(options);
  return openWith(options, openStateFile(path));
}

function openWith(options: MirrorOptions, state: StateFile): Mirror {
  try {
    const key = provenanceKey(options.stateDir, options.clock.now());
    const provenance = new Provenance(key, state);
    const tree = options.tree ?? ownTree(options, state);
    const mirror = new FolderMirror(options, { tree, state, provenance });
    state.whenDamaged(() => options.onStateDamaged?.());
    return mirror;
  } catch (error) {
    state.close();
    throw error;
  }
}

function ownTree(
  { job, stateDir, protectedFolders, clock, logger, overflows }: MirrorOptions,
  state: StateFile,
): FolderTree {
  return openFolderTree({
    job,
    protectedFolders: [...protectedFolders, stateDir],
    clock,
    logger,
    ...defined({
      overflows,
      mounts: job.oneFileSystem === false ? rememberMounts(state) : undefined,
    }),
  });
}
