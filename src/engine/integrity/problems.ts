/** The problems of a store that a check reports and a repair fixes. */

/** A version whose bytes are damaged. */
export interface DamagedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** A violation of FORMAT.md. */
export interface StoreProblem {
  /** In kebab case; closed, one for each rule. */
  readonly code: string;
  /** The file, blob, version or table that is concerned. */
  readonly subject: string;
  readonly message: string;
  /** What a repair does. Absent if only a backup helps. */
  readonly repair?: string | undefined;
  /** The first versions that cannot be read because of it. */
  readonly versions?: readonly DamagedVersion[] | undefined;
}

/** Listed problems of each code. The total number is reported too. */
export const MAX_LISTED_PROBLEMS = 100;

/** Stored names of the versions of a damaged blob. Finding them requires a scan of all versions. */
export const MAX_NAMED_VERSIONS = 16;
