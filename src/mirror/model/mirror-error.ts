/** The mirror's operating failures, beside what the store and the file system throw. Branch on `code`. */

export type MirrorErrorCode =
  /** The state file is of a later release. */
  | 'StateUnusable'
  /** The folder at the root is gone, empty where it was not, or another one. */
  | 'RootMissing'
  /** Another job has claimed this place in the bucket. */
  | 'Claimed'
  /** What lies in the place is encrypted under another key than the job has. */
  | 'OtherKey'
  /** Nothing would keep what others write from being lost. */
  | 'Unguarded'
  /** The root lies inside a folder that is never mirrored (Holdfast's own). */
  | 'RootProtected'
  /** What the brake holds is not what was reviewed. */
  | 'HeldChanged'
  /** Objects that are to be forgotten have changes that wait for approval. */
  | 'HeldForReview'
  /** This machine's clock and the service's are more than 15 minutes apart. */
  | 'ClockDiffers'
  /** No old versions are removed while there are signs of an attack. */
  | 'KeepHalted'
  /** The job says not which versions it keeps. */
  | 'NoKeep'
  /** The job knows no such file or folder. */
  | 'NotMirrored'
  /** What is to be forgotten is mirrored: it would come back. */
  | 'StillMirrored'
  /** A folder that must exist does not. */
  | 'FolderMissing'
  /** No object is stored where a restore looks, or an exact one would only remove files. */
  | 'NothingToRestore'
  /** The disk of the folder that is restored into has too little room. */
  | 'NoRoom'
  /** The folder that is restored into cannot be written. */
  | 'TargetFailed'
  /** On the way to a path that is restored in place stands what is no folder. */
  | 'LinkInTheWay'
  /** More problems are acknowledged than a job may have. */
  | 'TooManyAcknowledged'
  /** Nothing older can be made current: the bucket keeps no versions, or not this one. */
  | 'NoVersions'
  | 'NoSuchVersion'
  /** An object's bytes are not those that its metadata tells of. */
  | 'ContentDiffers';

export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;
  /** What the user can do about it. */
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
