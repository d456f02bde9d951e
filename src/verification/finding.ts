/** Declares the options and findings of a verification. */

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
    /** The object has different bytes than the file, according to its size or recorded SHA-256. */
    | 'differs'
    /** The object records no SHA-256, and was not read back. */
    | 'unproven'
    /** The object is known to be damaged, or was read back and differs from its SHA-256. */
    | 'damaged'
    | 'not-locked'
    | Problem['code'];
  readonly message: string;
  /** Id of a damaged or superseded version; absent if the version has none. */
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
   * Called for a key, relative to the prefix, whose current version does not have the lock that the job's settings
   * require.
   */
  readonly onNotLocked: (key: string) => void;
  /** Versions that the job should lock and has not locked. */
  readonly locks: UnlockedRows;
  readonly signal: AbortSignal;
  /** Versions that are known to be damaged. */
  readonly damaged: Pick<DamagedVersions, 'find' | 'problems'>;
  /** Called for each version that was read back and is damaged. */
  readonly onDamaged: (version: FoundVersion, reason: string) => void;
  /** The files and bytes that the job has stored, which is about what the folder has. */
  readonly totals: { readonly files: number; readonly bytes: number };
  /** Maximum number of bytes to read back from the service; if absent, no content is read back. */
  readonly readBackBytes?: number;
}

export type UnlockedRows = Pick<LockTable, 'unlockedAfter'>;
