/**
 * Declares the errors of the mirror itself, in addition to errors of the store and the file system. Callers branch on
 * `code`.
 */

export type MirrorErrorCode =
  /** A file of the job's state is damaged, or a later release wrote it. */
  | 'StateUnusable'
  /** The folder at the root does not exist, is unexpectedly empty, or is another folder. */
  | 'RootMissing'
  /** Another job owns this destination. */
  | 'Claimed'
  /** The objects at the destination are encrypted with a different key than the job's. */
  | 'OtherKey'
  /** The bucket has no versioning and the service ignores conditions, so a write could destroy another client's object. */
  | 'Unguarded'
  /** The root is inside a folder that is never mirrored (one of Holdfast's own). */
  | 'RootProtected'
  /** The changes held for review are not the changes that the user reviewed. */
  | 'HeldChanged'
  /** Objects to forget have changes that are held for review. */
  | 'HeldForReview'
  /** The clocks of this machine and of the service differ by more than 15 minutes. */
  | 'ClockDiffers'
  /** Version pruning is stopped while an anomaly is unresolved. */
  | 'KeepHalted'
  /** The job has no `keep` rule. */
  | 'NoKeep'
  /** The job does not mirror this file or folder. */
  | 'NotMirrored'
  /** A path to forget is still mirrored, so the job would upload it again. */
  | 'StillMirrored'
  /** A required folder does not exist. */
  | 'FolderMissing'
  /** A restore found no objects, or an exact restore would only remove files. */
  | 'NothingToRestore'
  /** The disk of the restore folder has too little free space. */
  | 'NoRoom'
  /** The restore folder is not writable. */
  | 'TargetFailed'
  /** A component of a path that is restored in place is not a folder now. */
  | 'LinkInTheWay'
  /** A local file cannot be replaced, because its bytes cannot be stored as a version. */
  | 'NotSaved'
  /** The job has the maximum number of acknowledged problems. */
  | 'TooManyAcknowledged'
  /** An older version cannot be made current: the bucket has no versioning, or this version does not exist. */
  | 'NoVersions'
  | 'NoSuchVersion'
  /** An object's bytes do not match its metadata. */
  | 'ContentDiffers';

export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;
  /** What the user can do to fix the problem. */
  readonly hint: string | undefined;

  constructor(
    code: MirrorErrorCode,
    message: string,
    { hint, ...options }: ErrorOptions & { readonly hint?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}
