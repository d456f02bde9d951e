/**
 * Defines the types of a mirror job: local entries, baseline rows (last synced states), current versions and settings.
 */

import type { PartSizes } from '../../object-store/multipart-put.ts';
import type { ObjectAttributes } from '../../object-store/object-store.ts';
import type { Tag } from '../../object-store/tags.ts';
import type { CannedAcl } from '../../object-store/rules/access/canned-acl.ts';
import type { JobLimitSettings } from './limit-settings.ts';

export type EntryKind = 'file' | 'directory' | 'symlink';

/**
 * The lstat result for one path. Paths are relative to the root, separate names with `/`, and have no leading or
 * trailing `/`.
 */
export interface LocalEntry {
  readonly path: string;
  readonly kind: EntryKind;
  /** Size in bytes; 0 for folders, and the length of the target path for symbolic links. */
  readonly sizeBytes: number;
  /**
   * Times in milliseconds with a fraction, as lstat returns them. They are exact enough to compare, but not to restore.
   */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Permission bits of the file's mode. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** The inode number, if the file has several hard links. */
  readonly link?: number;
  /** Digest of the extended attributes, if the file has any and they could be read. */
  readonly xattrs?: string;
}

/** The reason why a path is not protected. It is reported until it is resolved. */
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

/** A path's last synced state, in which file and object were equal. */
export interface BaselineEntry extends LocalEntry {
  /** SHA-256 of the content or of the symbolic link's target, in lower-case hex. */
  readonly sha256: string;
  readonly etag: string;
  /** Version id; absent if the bucket has no versioning. */
  readonly versionId?: string;
  /** When the job last restored the current version after another client removed it, in milliseconds since 1970. */
  readonly reprotectedAt?: number;
  /** End of the version's retention in milliseconds since 1970, or LOCK_UNSEEN. */
  readonly retainUntil?: number;
  /** Statistics about the content, in the format of `writeFacts` in content-facts.ts. */
  readonly content?: string;
  /**
   * Upload time from the version's metadata, in milliseconds since 1970 by the service's clock. Absent if the metadata
   * does not contain it.
   */
  readonly uploadedAt?: number;
}

/** Value of `retainUntil` while the service has not confirmed a requested lock. */
export const LOCK_UNSEEN = 0;

/** A key's current version on the service. */
export interface Head {
  readonly etag: string;
  readonly sizeBytes: number;
  readonly versionId?: string;
  /** SHA-256 from Holdfast's metadata; absent if the object has no such metadata. */
  readonly sha256?: string;
  /**
   * Upload time from the metadata, in milliseconds since 1970 by the service's clock. Present only if this job uploaded
   * the object.
   */
  readonly uploadedAt?: number;
  /** Set if the object represents a symbolic link. Its content is the link's target. */
  readonly isLink?: boolean;
  /** Last-Modified time from the service, in milliseconds since 1970. */
  readonly lastModifiedAt?: number;
  /**
   * Whether the HMAC in the metadata proves that the job uploaded the object (provenance.ts). Absent if the metadata
   * was not read.
   */
  readonly isOwn?: boolean;
}

export type BucketKind = 'unversioned' | 'versioned' | 'object-lock';

export type ConflictPolicy = 'keep-both' | 'local' | 'remote' | 'ask';
export type DriftPolicy = 'report' | 'enforce';

/** Configuration of a job, which mirrors one folder to one destination. */
export interface MirrorJob extends JobLimitSettings {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the folder. */
  readonly root: string;
  readonly bucket: string;
  /** Prefix of all the job's keys. It is empty or ends in `/`. */
  readonly prefix: string;
  /** Patterns for excluded paths, in `.gitignore` syntax. */
  readonly exclude: readonly string[];
  /** Whether the content of folders with a CACHEDIR.TAG file is excluded; default: `exclude`. */
  readonly cacheDirs?: 'exclude' | 'keep';
  /** Whether file systems mounted below the root are excluded; default: true. */
  readonly oneFileSystem?: boolean;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  /**
   * Minimum number of days for which content that lost a conflict is kept. A job with locks retains it in GOVERNANCE
   * mode.
   */
  readonly conflictWindowDays: number;
  /** Lock policy for new versions. Their retention ends after `days + refreshDays` days. */
  readonly lock?: LockPolicy;
  /** Minimum time between two versions of a file, in milliseconds; absent if versions are not limited. */
  readonly minVersionInterval?: number | VersionInterval;
  /** Rule for version pruning; absent if all versions are kept. */
  readonly keep?: KeepRule;
  /** Rules for the headers, tags and ACLs of new objects. */
  readonly attributes?: readonly SettingsRule[];
  /** Whether the next version of an object preserves its headers, tags and ACL; default: true. */
  readonly carry?: boolean;
  /** Whether each upload counts as complete only after its content was read back and compared. */
  readonly verifyUploads?: boolean;
  /** The sizes of multipart uploads; default: `DEFAULT_PART_SIZES`. */
  readonly partSizes?: PartSizes;
  readonly rescanMinutes: number;
  /**
   * Number of days within which the job reads all content back from the service; default: 30. 0 disables this check and
   * restore tests.
   */
  readonly verifyDays?: number;
  /**
   * Maximum megabytes that are read back per day. Default: 1,000 from a remote service, unlimited from the embedded
   * store.
   */
  readonly verifyMegabytesPerDay?: number;
  /** Whether the job may write even if the service does not support conditional writes. */
  readonly unguarded: boolean;
}

/** Minimum time between two versions of a file, in milliseconds, with exceptions. 0 means no minimum. */
export interface VersionInterval {
  readonly interval: number;
  /**
   * Different intervals for some keys. Patterns have `.gitignore` syntax and are relative to the root. The last
   * matching pattern applies.
   */
  readonly patterns: readonly { readonly match: string; readonly interval: number }[];
}

export interface LockPolicy {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly days: number;
  readonly refreshDays: number;
  /** Different numbers of days for some keys. The last matching pattern applies. */
  readonly patterns?: readonly LockPattern[];
}

export interface LockPattern {
  /** Pattern for keys in `.gitignore` syntax, relative to the root. */
  readonly match: string;
  /** Number of days in the lock; 0 if matching keys are not locked. */
  readonly days: number;
}

/** A job's states. The status and the dashboard show these values verbatim. */
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
  /** Pattern for keys in `.gitignore` syntax, relative to the root. */
  readonly match: string;
  readonly headers?: ObjectHeaders | undefined;
  readonly tags?: readonly Tag[] | undefined;
  readonly acl?: CannedAcl | undefined;
}

/**
 * How long versions are kept, in milliseconds. `all` is the time for every version; the other values are for one
 * version per hour, day, week and month.
 */
export interface KeepRule {
  readonly all: number;
  readonly hourly?: number | undefined;
  readonly daily?: number | undefined;
  readonly weekly?: number | undefined;
  readonly monthly?: number | undefined;
}

export interface FolderRow extends Omit<LocalEntry, 'path'> {
  /** Name within the folder; empty for the object that represents the folder. */
  readonly name: string;
  /** End of the retention, as in BaselineEntry; null if the version is not retained. */
  readonly retainUntil: number | null;
}

/** The reason why a job is stopped now. The status shows it until the next attempt. */
export interface Standstill {
  readonly state: Extract<
    MirrorState,
    'paused' | 'waiting' | 'no room' | 'root missing' | 'clock' | 'failed' | 'stopped'
  >;
  readonly reason?: string;
}
