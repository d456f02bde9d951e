/**
 * Defines the mirror's own errors, in addition to errors of the store and the file system. Callers branch on `code`.
 */

export type MirrorErrorCode =
  /** A file with the job's state is damaged, or was written by a later release of Holdfast. */
  | 'StateUnusable'
  /** The root folder does not exist, is unexpectedly empty, or was replaced with another folder. */
  | 'RootMissing'
  /** Another job owns this destination. */
  | 'Claimed'
  /** The objects at the destination are encrypted with a key that differs from the job's key. */
  | 'OtherKey'
  /**
   * The bucket has no versioning and the service ignores conditional writes, so a write could destroy another client's
   * object.
   */
  | 'Unguarded'
  /** The root is inside one of Holdfast's own folders, which are never mirrored. */
  | 'RootProtected'
  /** The held changes are no longer those that the user reviewed. */
  | 'HeldChanged'
  /** The objects to forget include objects with changes that are held for review. */
  | 'HeldForReview'
  /** This machine's clock and the service's clock differ by more than 15 minutes. */
  | 'ClockDiffers'
  /** Version pruning is stopped until an anomaly is resolved. */
  | 'KeepHalted'
  /** The job has no `keep` rule, so it cannot prune versions. */
  | 'NoKeep'
  /** The job does not mirror this file or folder. */
  | 'NotMirrored'
  /** A path to forget is still mirrored, so the job would upload it again. */
  | 'StillMirrored'
  /** A folder that the operation needs does not exist. */
  | 'FolderMissing'
  /** A restore found no objects, or an exact restore would only remove local files. */
  | 'NothingToRestore'
  /** The restore folder's disk has too little free space. */
  | 'NoRoom'
  /** The restore folder is not writable. */
  | 'TargetFailed'
  /** A path that is restored in place contains a component that is no longer a folder, such as a symbolic link. */
  | 'LinkInTheWay'
  /** A local file cannot be replaced, because its content cannot be stored as a version first. */
  | 'NotSaved'
  /** The job has the maximum number of acknowledged problems. */
  | 'TooManyAcknowledged'
  /** An older version cannot be made current, because the bucket has no versioning or the version does not exist. */
  | 'NoVersions'
  | 'NoSuchVersion'
  /** An object's content does not match the checksum or size in its metadata. */
  | 'ContentDiffers';

export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;
  /** A command or edit with which the user can fix the problem. */
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
