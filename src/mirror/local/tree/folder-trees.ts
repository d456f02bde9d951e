/** Shares one FolderTree between jobs with the same folder and the same exclusion rules. */

import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Logger } from '../../../base/logger.ts';
import type { MirrorJob } from '../../model/types.ts';
import { createExcluder, type ExcluderOptions } from '../exclude.ts';
import { OverflowDetector } from './overflow-detector.ts';
import { FolderTree } from './folder-tree.ts';

export interface TreeOfJobOptions extends Pick<ExcluderOptions, 'mounts' | 'protectedFolders'> {
  readonly job: Pick<MirrorJob, 'cacheDirs' | 'exclude' | 'root'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Counts the events of all watches in the process; see `WatchOptions.overflows`. */
  readonly overflows?: OverflowDetector;
}

/**
 * Creates a job's folder tree. Throws MirrorError `RootProtected` if the root is inside one of Holdfast's own folders,
 * and `FolderMissing` if one of these folders does not exist.
 */
export function openFolderTree(options: TreeOfJobOptions): FolderTree {
  const { job, protectedFolders, mounts, clock, logger, overflows } = options;
  const { root, exclude: patterns, cacheDirs } = job;
  const rules = { root, patterns, protectedFolders, ...defined({ cacheDirs, mounts }) };
  const excluder = createExcluder(rules);
  return new FolderTree({ root, excluder, clock, logger, ...defined({ overflows }) });
}

/** The folder trees of all jobs in this process. */
export class FolderTrees {
  /** Counts the events of all watches in this process. */
  readonly overflows = new OverflowDetector();
  readonly #known = new Map<string, FolderTree>();

  /**
   * Returns the tree for this folder and these rules. It is shared while a job uses it. Throws the same errors
   * as `openFolderTree`.
   */
  of(options: TreeOfJobOptions): FolderTree {
    for (const [key, tree] of this.#known) if (tree.isUnused) this.#known.delete(key);
    const { root, exclude, cacheDirs } = options.job;
    const key = JSON.stringify([root, exclude, cacheDirs]);
    const tree = this.#known.get(key) ?? openFolderTree({ ...options, overflows: this.overflows });
    this.#known.set(key, tree);
    return tree;
  }
}
