/** Declares the types of a mirror job: entries of the folder, baseline rows, current versions and settings. */

import type { ObjectAttributes } from '../../object-store/object-store.ts';
import type { Tag } from '../../object-store/tags.ts';
import type { CannedAcl } from '../../object-store/rules/access/canned-acl.ts';
import type { JobLimitSettings } from './limit-settings.ts';

export type EntryKind = 'file' | 'directory' | 'symlink';

/** Result of lstat for one path. Paths are relative to the root, with `/` between names, without leading or trailing `/`. */
export interface LocalEntry {
  readonly path: string;
  readonly kind: EntryKind;
  /** Size in bytes; 0 for folders, and the length of the target for symbolic links. */
  readonly sizeBytes: number;
  /** Times in milliseconds with fraction, as lstat returns them: exact enough to compare, not to restore. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Permission bits of the mode. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** The inode, if the file has several hard links. */
  readonly link?: number;
  /** Digest of the extended attributes, if the file has any and they were read. */
  readonly xattrs?: string;
}

/** The reason why one path is not protected. It is reported until it is resolved. */
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

/** The last state in which the file and its object were equal, for one path. */
export interface BaselineEntry extends LocalEntry {
  /** SHA-256 of the content or of the symbolic link's target, lower-case hex. */
  readonly sha256: string;
  readonly etag: string;
  /** Version id; absent if the bucket has no versioning. */
  readonly versionId?: string;
  /** When the job last restored the current version after another client removed it, in milliseconds since 1970. */
  readonly reprotectedAt?: number;
  /** End of the version's retention in milliseconds since 1970, or LOCK_UNSEEN. */
  readonly retainUntil?: number;
  /** Measured content facts, as written by `writeFacts` of content-facts.ts. */
  readonly content?: string;
  /**
   * Upload time from the version's metadata, in milliseconds since 1970 by the service's clock. Absent if the metadata
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
  /** SHA-256 from Holdfast's metadata; absent if the object has none. */
  readonly sha256?: string;
  /**
   * Upload time from the metadata, in milliseconds since 1970 by the service's clock; present only if this job uploaded
   * the object.
   */
  readonly uploadedAt?: number;
  /** Set if the object represents a symbolic link. Its content is the link's target. */
  readonly isLink?: boolean;
  /** Last-Modified time of the service, in milliseconds since 1970. */
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
  /** Prefix of all keys. It is empty or ends in `/`. */
  readonly prefix: string;
  /** Patterns of excluded paths, in `.gitignore` syntax. */
  readonly exclude: readonly string[];
  /** Whether the contents of folders with a CACHEDIR.TAG are excluded; default: `exclude`. */
  readonly cacheDirs?: 'exclude' | 'keep';
  /** Whether file systems that are mounted below the root are excluded; default: true. */
  readonly oneFileSystem?: boolean;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  /**
   * Minimum number of days for which the superseded content of a conflict is stored. A job with locks retains it in
   * GOVERNANCE mode.
   */
  readonly conflictWindowDays: number;
  /** Lock policy of new versions. Their retention ends after `days + refreshDays` days. */
  readonly lock?: LockPolicy;
  /** Minimum time between two versions of a file, in milliseconds; absent for no minimum. */
  readonly minVersionInterval?: number | VersionInterval;
  /** Rule for version pruning; absent to keep all versions. */
  readonly keep?: KeepRule;
  /** Rules for headers, tags and ACLs of new objects. */
  readonly attributes?: readonly SettingsRule[];
  /** Whether the next version of an object preserves its headers, tags and ACL; default: true. */
  readonly carry?: boolean;
  /** Whether each upload is read back and compared before it counts as complete. */
  readonly verifyUploads?: boolean;
  readonly rescanMinutes: number;
  /**
   * Number of days within which all content is read again from the service; default: 30. 0 disables this and restore
   * tests.
   */
  readonly verifyDays?: number;
  /**
   * Maximum megabytes per day to read again; default: 1,000 from a remote service, unlimited from the embedded store.
   */
  readonly verifyMegabytesPerDay?: number;
  /** Whether the job writes even if the service does not support conditional writes. */
  readonly unguarded: boolean;
}

/** Minimum time between two versions of a file, with exceptions; in milliseconds, and 0 for no minimum. */
export interface VersionInterval {
  readonly interval: number;
  /** Other intervals for some keys, in `.gitignore` syntax relative to the root. The last matching pattern applies. */
  readonly patterns: readonly { readonly match: string; readonly interval: number }[];
}

export interface LockPolicy {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly days: number;
  readonly refreshDays: number;
  /** Other numbers of days for some keys. The last matching pattern applies. */
  readonly patterns?: readonly LockPattern[];
}

export interface LockPattern {
  /** Pattern of keys in `.gitignore` syntax, relative to the root. */
  readonly match: string;
  /** Number of days; 0 if matching keys are not locked. */
  readonly days: number;
}

/** The states of a job. The status and the dashboard show these values verbatim. */
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
  /** Pattern of keys in `.gitignore` syntax, relative to the root. */
  readonly match: string;
  readonly headers?: ObjectHeaders | undefined;
  readonly tags?: readonly Tag[] | undefined;
  readonly acl?: CannedAcl | undefined;
}

/** How long versions are kept, in milliseconds: `all` of them, then one per hour, day, week and month. */
export interface KeepRule {
  readonly all: number;
  readonly hourly?: number | undefined;
  readonly daily?: number | undefined;
  readonly weekly?: number | undefined;
  readonly monthly?: number | undefined;
}

export interface FolderRow extends Omit<LocalEntry, 'path'> {
  /** Name within the folder; empty for the folder's own object. */
  readonly name: string;
  /** End of the retention, as in BaselineEntry; null for none. */
  readonly retainUntil: number | null;
}

/** The reason why a job does no work now. The status shows it until the next attempt. */
export interface Standstill {
  readonly state: Extract<
    MirrorState,
    'paused' | 'waiting' | 'no room' | 'root missing' | 'clock' | 'failed' | 'stopped'
  >;
  readonly reason?: string;
}
