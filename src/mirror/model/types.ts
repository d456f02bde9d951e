/** The mirror's vocabulary: what is seen on each side of one folder ↔ one bucket prefix, and what is done. */

import type { ObjectAttributes } from '../../object-store/object-store.ts';
import type { Tag } from '../../object-store/tags.ts';
import type { CannedAcl } from '../../object-store/rules/access/canned-acl.ts';
import type { JobLimitSettings } from './limit-settings.ts';

export type EntryKind = 'file' | 'directory' | 'symlink';

/** What lstat told of one path. Paths are relative to the root, `/` between names, no leading or trailing one. */
export interface LocalEntry {
  readonly path: string;
  readonly kind: EntryKind;
  /** 0 for folders; the length of the target for links. */
  readonly sizeBytes: number;
  /** Milliseconds with fraction, as lstat gives them: for comparison, not for restoring. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** The inode, where a file has more names than this one. */
  readonly link?: number;
  /** Digest of its extended attributes, where it has any and they were read. */
  readonly xattrs?: string;
}

/** Something that keeps one path from being protected; a value, shown until it is gone. */
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

/** What both sides last agreed on, per path. */
export interface BaselineEntry extends LocalEntry {
  /** Lower-case hex, of the content (or of the link's target). */
  readonly sha256: string;
  readonly etag: string;
  /** Absent in a bucket without versioning. */
  readonly versionId?: string;
  /** When the head was last brought back after it had vanished, milliseconds since 1970. */
  readonly reprotectedAt?: number;
  /** Until when the version is retained, milliseconds since 1970; or LOCK_UNSEEN. */
  readonly retainUntil?: number;
  /** What the content looked like when it was read: `writeFacts` of content-facts.ts. */
  readonly content?: string;
  /** As its version says: when it was uploaded, milliseconds since 1970 by the service's time. Absent where it does not say. */
  readonly uploadedAt?: number;
}

/** In place of a time: a lock was asked for, and has not been seen at the version yet. */
export const LOCK_UNSEEN = 0;

/** The current version of a key as seen on the service. */
export interface Head {
  readonly etag: string;
  readonly sizeBytes: number;
  readonly versionId?: string;
  /** From our metadata, where the object carries it. */
  readonly sha256?: string;
  /** Likewise, and only where the job uploaded it: when, in milliseconds since 1970 by the service's time. */
  readonly uploadedAt?: number;
  /** It is restored as a symbolic link to its content. */
  readonly isLink?: boolean;
  /** By the service. */
  readonly lastModifiedAt?: number;
  /** The job uploaded it, as its proof shows (provenance.ts); absent where its metadata were not read. */
  readonly isOwn?: boolean;
}

export type BucketKind = 'unversioned' | 'versioned' | 'object-lock';

export type ConflictPolicy = 'keep-both' | 'local' | 'remote' | 'ask';
export type DriftPolicy = 'report' | 'enforce';

/** One folder ↔ one place in a bucket. */
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
  /** What a folder with a CACHEDIR.TAG holds is left out, unless `keep`. */
  readonly cacheDirs?: 'exclude' | 'keep';
  /** Whether file systems mounted below the root are left out: so, unless `false`. */
  readonly oneFileSystem?: boolean;
  readonly conflict: ConflictPolicy;
  readonly drift: DriftPolicy;
  /** How long what gave way in a conflict is kept at least; in GOVERNANCE, where the job locks its versions. */
  readonly conflictWindowDays: number;
  /** Retention of each version that is made: until now + days + refreshDays. */
  readonly lock?: LockPolicy;
  /** Milliseconds that are at least between two versions of a file; absent: no such limit. */
  readonly minVersionInterval?: number | VersionInterval;
  /** Which earlier versions are kept; absent: all. */
  readonly keep?: KeepRule;
  /** What objects are given beside their bytes. */
  readonly attributes?: readonly SettingsRule[];
  /** Whether headers, tags and rights that an object has are given to its next version: so, unless `false`. */
  readonly carry?: boolean;
  /** What is put is read back before it is believed. */
  readonly verifyUploads?: boolean;
  readonly rescanMinutes: number;
  /** Within so many days all content is read again from the service, 30 where absent; 0: never, and no drills. */
  readonly verifyDays?: number;
  /** At most so much a day; where absent, 1,000 from a remote service, and no limit from the embedded store. */
  readonly verifyMegabytesPerDay?: number;
  /** Write also where the service honours no conditions. */
  readonly unguarded: boolean;
}

/** In milliseconds; 0 for no such limit. */
export interface VersionInterval {
  readonly interval: number;
  /** Another one for some keys, in `.gitignore` syntax, relative to the root; the last one that matches wins. */
  readonly patterns: readonly { readonly match: string; readonly interval: number }[];
}

export interface LockPolicy {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly days: number;
  readonly refreshDays: number;
  /** Other days for some keys; the last one that matches wins. */
  readonly patterns?: readonly LockPattern[];
}

export interface LockPattern {
  /** `.gitignore` syntax, relative to the root. */
  readonly match: string;
  /** 0: these are not locked. */
  readonly days: number;
}

/** Closed list; status and dashboard show them verbatim. */
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

/** How far back each kind of moment is kept, in milliseconds. */
export interface KeepRule {
  readonly all: number;
  readonly daily?: number | undefined;
  readonly weekly?: number | undefined;
  readonly monthly?: number | undefined;
}

export interface FolderRow extends Omit<LocalEntry, 'path'> {
  /** Empty for the folder's own object. */
  readonly name: string;
  /** As in the baseline; null for none. */
  readonly retainUntil: number | null;
}

/** What ends a job's work for now: shown as it is, until it is tried again. */
export interface Standstill {
  readonly state: Extract<
    MirrorState,
    'paused' | 'waiting' | 'no room' | 'root missing' | 'clock' | 'failed' | 'stopped'
  >;
  readonly reason?: string;
}
