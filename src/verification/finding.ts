/** What a verification is asked to compare, and what it finds. */

import type { Excluder } from '../mirror/local/exclude.ts';
import type { Clock } from '../base/clock.ts';
import type { Problem } from '../mirror/model/types.ts';
import type { FoundVersion } from './damage.ts';
import type { DamagedTable } from '../mirror/state/damaged-table.ts';
import type { LockSettingsOf } from '../mirror/objects/lock-rules.ts';
import type { Place } from '../mirror/objects/destination.ts';
import type { LockTable } from '../mirror/state/lock-table.ts';

export interface VerifyFinding {
  readonly is: 'finding';
  readonly path: string;
  readonly code:
    /** No current object. */
    | 'missing'
    /** Other bytes, by its size or the SHA-256 that it was stored with. */
    | 'differs'
    /** It tells no SHA-256, and was not read back. */
    | 'unproven'
    /** Known to be damaged, or read back and not the bytes that it claims. */
    | 'damaged'
    | 'not-locked'
    | Problem['code'];
  readonly message: string;
  /** Of a damaged or a superseded version; absent where versions have none. */
  readonly versionId?: string;
}

export interface VerifyOptions {
  readonly place: Place;
  readonly root: string;
  readonly excluder: Excluder;
  readonly termsOf: LockSettingsOf;
  readonly clock: Clock;
  /** The time that locks are counted from. */
  readonly lockClock: Pick<Clock, 'now'>;
  /** The current version of this key below the prefix has not the lock that the policy asks for. */
  readonly onNotLocked: (key: string) => void;
  /** What the job is to lock and has not locked. */
  readonly locks: UnlockedRows;
  readonly signal: AbortSignal;
  /** What is known to be damaged. */
  readonly damaged: Pick<DamagedTable, 'find' | 'problems'>;
  /** Called for each version that was read back and is damaged. */
  readonly onDamaged: (version: FoundVersion, reason: string) => void;
  /** Bytes to read again from the service at most; absent: none are. */
  readonly readBackBytes?: number;
}

export type UnlockedRows = Pick<LockTable, 'unlockedAfter'>;
