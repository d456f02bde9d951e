/** Types of a mirror job: entries of the folder, baseline rows, current versions and settings. */

import type { ObjectAttributes } from '../../object-store/object-store.ts';
import type { Tag } from '../../object-store/tags.ts';
import type { CannedAcl } from '../../object-store/rules/access/canned-acl.ts';
import type { JobLimitSettings } from './limit-settings.ts';

export type EntryKind = 'file' | 'directory' | 'symlink';

/** Result of lstat for one path. Paths are relative to the root, with `/` between names, without leading or trailing `/`. */
export interface LocalEntry {
  readonly path: string;
  readonly kind: EntryKind;
  /** 0 for folders; for symbolic links the length of the target. */
  readonly sizeBytes: number;
  /** Milliseconds with fraction, as lstat returns them: exact enough to compare, not to restore. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** The inode, if the file has several hard links. */
  readonly link?: number;
  /** Digest of the extended attributes, if the file has any and they were read. */
  readonly xattrs?: string;
}

/** Reason why one path is not protected. It is shown until it is resolved. */
export interface Problem {
  readonly path: string;
  readonly code:
    | 'unreadable'
    | 'unlistable'
    | 'busy'
    | 'inconsistent'
    | 'invalid-name'
    | 'name-collision'
    | 'key-too-long'
    | 'unsupported-type'
    | 'reserved-name'
    | 'pattern-limit'
    | 'unsupported-action'
    | 'not-locked'
    | 'damaged'
    | 'undated'
    | 'refused'
    | 'failed';
  readonly message: string;
}

/** Last state in which the file and its object matched, for one path. */
export interface BaselineEntry extends LocalEntry {
  /** SHA-256 of the content or of the symbolic link's target, lower-case hex. */
  readonly sha256: string;
  readonly etag: string;
  /** Absent if the bucket has no versioning. */
  readonly versionId?: string;
  /** When the job last restored the current version after another client removed it, milliseconds since 1970. */
  readonly reprotectedAt?: number;
  /** End of the version's retention, milliseconds since 1970; or LOCK_UNSEEN. */
  readonly retainUntil?: number;
  /** Measured content facts, as written by `writeFacts` of content-facts.ts. */
  readonly content?: string;
  /**
   * Upload time from the version's metadata, milliseconds since 1970 by the service's clock. Absent if the metadata
   * does not contain it.
   */
  readonly uploadedAt?: number;
}

/** Value of `retainUntil` after a lock was requested and before the service confirmed it. */
export const LOCK_UNSEEN = 0;

/** The current version of a key on the service. */
export interface Head {
  readonly etag: string;
  readonly sizeBytes: number;
  readonly versionId?: string;
  /** From Holdfast's metadata, if the object has it. */
  readonly sha256?: string;
  /** Upload time from the metadata, only if this job uploaded the object. Milliseconds since 1970 by the service's clock. */
  readonly uploadedAt?: number;
  /** The object represents a symbolic link; its content is the target. */
  readonly isLink?: boolean;
  /** Last-Modified of the service, milliseconds since 1970. */
  readonly lastModifiedAt?: number;
  /** Whether the proof in the metadata shows that the job uploaded the object (provenance.ts). Absent if the metadata was not read. */
  readonly isOwn?: boolean;
}

export type BucketKind = 'unversioned' | 'versioned' | 'object-lock';

export type ConflictPolicy = 'keep-both' | 'local' | 'remote' | 'ask';
export type DriftPolicy = 'report' | 'enforce';

/** Configuration of a job: one folder and its destination. */
export interface MirrorJob extends JobLimitSettings {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the folder. */
  readonly root: string;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** `.gitignore` syntax. */
  readonly exclude: readonly string[];
  /** Exclude the contents of folders with a CACHEDIR.TAG, unless `keep`. */
  readonly cacheDirs?: 'exclude' | 'keep';
  /** Exclude file systems mounted below the root, unless `false`. */
  readonly oneFileSystem?: boolean;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  /** Minimum number of days that superseded content of a conflict is kept. If the job locks its versions, in GOVERNANCE mode. */
  readonly conflictWindowDays: number;
  /** Retention of each new version: now + days + refreshDays. */
  readonly lock?: LockPolicy;
  /** Minimum time between two versions of a file, in milliseconds. Absent: no minimum. */
  readonly minVersionInterval?: number | VersionInterval;
  /** Rule for version pruning. Absent: all versions are kept. */
  readonly keep?: KeepRule;
  /** Headers, tags and ACLs for new objects. */
  readonly attributes?: readonly SettingsRule[];
  /** Preserve an object's headers, tags and ACL in its next version, unless `false`. */
  readonly carry?: boolean;
  /** Read each upload back and compare it before it counts as complete. */
  readonly verifyUploads?: boolean;
  readonly rescanMinutes: number;
  /** Number of days within which all content is read again from the service; 30 if absent. 0 disables this and restore tests. */
  readonly verifyDays?: number;
  /** Maximum megabytes a day to read for this. If absent, 1,000 from a remote service, unlimited from the embedded store. */
  readonly verifyMegabytesPerDay?: number;
  /** Write even if the service does not support conditional writes. */
  readonly unguarded: boolean;
}

/** In milliseconds; 0 for no minimum. */
export interface VersionInterval {
  readonly interval: number;
  /** Other intervals for some keys, in `.gitignore` syntax relative to the root. The last matching pattern applies. */
  readonly patterns: readonly { readonly match: string; readonly interval: number }[];
}

export interface LockPolicy {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly days: number;
  readonly refreshDays: number;
  /** Other days for some keys. The last matching pattern applies. */
  readonly patterns?: readonly LockPattern[];
}

export interface LockPattern {
  /** `.gitignore` syntax, relative to the root. */
  readonly match: string;
  /** 0: matching keys are not locked. */
  readonly days: number;
}

/** Closed list; the status and the dashboard show these values verbatim. */
export type MirrorState =
  | 'starting'
  | 'scanning'
  | 'mirroring'
  | 'watching'
  | 'paused'
  | 'waiting'
  | 'no room'
  | 'root missing'
  | 'clock'
  | 'held'
  | 'failed'
  | 'stopped';
export type ObjectHeaders = Pick<
  ObjectAttributes,
  | 'cacheControl'
  | 'contentDisposition'
  | 'contentEncoding'
  | 'contentLanguage'
  | 'contentType'
  | 'expires'
>;

export interface SettingsRule {
  /** `.gitignore` syntax, relative to the root. */
  readonly match: string;
  readonly headers?: ObjectHeaders | undefined;
  readonly tags?: readonly Tag[] | undefined;
  readonly acl?: CannedAcl | undefined;
}

/** How long versions are kept: all of them, then one per day, week and month. In milliseconds. */
export interface KeepRule {
  readonly all: number;
  readonly daily?: number | undefined;
  readonly weekly?: number | undefined;
  readonly monthly?: number | undefined;
}

export interface FolderRow extends Omit<LocalEntry, 'path'> {
  /** Name within the folder; empty for the folder's own object. */
  readonly name: string;
  /** As in BaselineEntry; null for no retention. */
  readonly retainUntil: number | null;
}

/** Reason why a job does no work now. The status shows it until the next attempt. */
export interface Standstill {
  readonly state: Extract<
    MirrorState,
    'paused' | 'waiting' | 'no room' | 'root missing' | 'clock' | 'failed' | 'stopped'
  >;
  readonly reason?: string;
}
