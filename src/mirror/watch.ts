/** Hints where to scan first, from chokidar. Never the truth: a hint may be missed, and scans find it. */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Excluder } from './exclude.ts';

export interface WatchOptions {
  readonly root: string;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `entry`: look at this path. `folder`: list this folder, and what is new below it. */
  readonly onHint: (path: string, scope: 'entry' | 'folder') => void;
  /** Hints may have been lost: everything is to be scanned. */
  readonly onOverflow: (reason: string) => void;
}

export interface Coverage {
  /** Folders. */
  readonly watched: number;
  /** Folders without a watch, which are looked at now and then. */
  readonly polled: number;
  /** Why there are polled ones, with what the user can do. */
  readonly reason?: string;
}

export interface TreeWatch {
  /** Resolves when the folder is watched, or known to be polled: list it after that. Never rejects. */
  addFolder(path: string): Promise<void>;
  removeFolder(path: string): void;
  coverage(): Coverage;
  close(): Promise<void>;
}

export declare function watchTree(options: WatchOptions): TreeWatch;
