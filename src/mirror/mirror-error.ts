/** The mirror's operating failures, beside what the store and the file system throw. Branch on `code`. */

export type MirrorErrorCode =
  /** The state file is of a later release. */
  | 'StateUnusable'
  /** The folder at the root is gone, empty where it was not, or another one. */
  | 'RootMissing'
  /** Another job has claimed this place in the bucket. */
  | 'Claimed'
  /** The root lies inside a folder that is never mirrored (Holdfast's own). */
  | 'RootProtected'
  /** A folder that must exist does not. */
  | 'FolderMissing'
  /** A restore may only fill an absent or empty folder. */
  | 'TargetNotEmpty'
  /** An object's bytes are not those that its metadata tells of. */
  | 'ContentDiffers';

export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
