/** Defines the options and findings of a verification. */

import type { Excluder } from '../mirror/local/exclude.ts';
import type { Clock } from '../base/clock.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { FoundVersion } from './damage.ts';
import type { DamagedVersions } from '../mirror/state/damaged-versions.ts';
import type { LockSettingsOf } from '../mirror/objects/lock-rules.ts';
import type { Destination } from '../mirror/objects/destination.ts';
import type { LockTable } from '../mirror/state/lock-table.ts';

export interface VerifyFinding {
  readonly is: 'finding';
  readonly path: string;
  readonly code:
    /** The path has no current object. */
    | 'missing'
    /** The object has different bytes from the file, according to its size or its recorded SHA-256. */
    | 'differs'
    /** The object has no recorded SHA-256 and was not read back. */
    | 'unproven'
    /** The object is known to be damaged, or was read back and does not match its SHA-256. */
    | 'damaged'
    | 'not-locked'
    | Problem['code'];
  readonly message: string;
  /** The ID of a damaged or superseded version. Absent if the version has no ID. */
  readonly versionId?: string;
}

export interface VerifyOptions {
  readonly destination: Destination;
  readonly root: string;
  readonly excluder: Excluder;
  readonly settingsOf: LockSettingsOf;
  readonly clock: Clock;
  /** Returns the time from which locks are counted. */
  readonly lockClock: Pick<Clock, 'now'>;
  /**
   * Called if the current version of a key does not have the lock that the job's settings require. The key is
   * relative to the prefix.
   */
  readonly onNotLocked: (key: string) => void;
  /** The versions that the job should have locked but has not. */
  readonly locks: UnlockedRows;
  readonly signal: AbortSignal;
  /** The versions that are known to be damaged. */
  readonly damaged: Pick<DamagedVersions, 'find' | 'problems'>;
  /** Called for each version that the verification has read back and found damaged. */
  readonly onDamaged: (version: FoundVersion, reason: string) => void;
  /** Called with the size of each version that the verification has read back and found intact. */
  readonly onSound: (sizeBytes: number) => void;
  /**
   * The number of files and bytes that the job has stored. They are about the same as in the folder, and are
   * used to show the progress.
   */
  readonly totals: { readonly files: number; readonly bytes: number };
  /** The maximum number of bytes to read back from the service. If absent, no content is read back. */
  readonly readBackBytes?: number;
}

export type UnlockedRows = Pick<LockTable, 'unlockedAfter'>;
