/** What can be wrong with a store, as a check tells it and a repair deals with it. */

/** A version that needs bytes which are damaged. */
export interface DamagedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** Something that is not as FORMAT.md says. */
export interface StoreProblem {
  /** In kebab case; closed, one for each rule. */
  readonly code: string;
  /** The file, blob, version or table that is concerned. */
  readonly subject: string;
  readonly message: string;
  /** What a repair does about it. Absent where only a backup helps. */
  readonly repair?: string | undefined;
  /** The first versions that cannot be read because of it. */
  readonly versions?: readonly DamagedVersion[] | undefined;
}

/** Of one code; the number of all is told beside them. */
export const MAX_LISTED_PROBLEMS = 100;

/** To name the versions of a blob takes a scan of all versions; so many names are kept. */
export const MAX_NAMED_VERSIONS = 16;
