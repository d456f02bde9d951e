/** The options of a verification, and its findings. */

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
    /** It has no current object. */
    | 'missing'
    /** Its object has other bytes, by the size or the recorded SHA-256. */
    | 'differs'
    /** Its object records no SHA-256, and was not read back. */
    | 'unproven'
    /** Its object is known to be damaged, or was read back and differs from its SHA-256. */
    | 'damaged'
    | 'not-locked'
    | Problem['code'];
  readonly message: string;
  /** Set for a damaged or superseded version; absent if the version has no id. */
  readonly versionId?: string;
}

export interface VerifyOptions {
  readonly destination: Destination;
  readonly root: string;
  readonly excluder: Excluder;
  readonly settingsOf: LockSettingsOf;
  readonly clock: Clock;
  /** The time that locks are counted from. */
  readonly lockClock: Pick<Clock, 'now'>;
  /** Called for a key below the prefix whose current version does not have the lock that the policy requires. */
  readonly onNotLocked: (key: string) => void;
  /** Versions that the job should lock and has not locked. */
  readonly locks: UnlockedRows;
  readonly signal: AbortSignal;
  /** Versions that are known to be damaged. */
  readonly damaged: Pick<DamagedVersions, 'find' | 'problems'>;
  /** Called for each version that was read back and is damaged. */
  readonly onDamaged: (version: FoundVersion, reason: string) => void;
  /** Maximum number of bytes to read back from the service; absent: none. */
  readonly readBackBytes?: number;
}

export type UnlockedRows = Pick<LockTable, 'unlockedAfter'>;
