/** Declares the problems of a store that a check reports and a repair fixes. */

/** A version whose bytes are damaged. */
export interface DamagedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** A violation of FORMAT.md. */
export interface StoreProblem {
  /** A stable code in kebab case: the code of a rule, `database` or `bytes-damaged`. */
  readonly code: string;
  /** The name of the file, blob, version or other item that has the problem. */
  readonly subject: string;
  readonly message: string;
  /** What a repair does. Absent if only a backup helps. */
  readonly repair?: string | undefined;
  /** The first versions that cannot be read because of it. */
  readonly versions?: readonly DamagedVersion[] | undefined;
}

/** The maximum number of listed problems of each code. The total number is reported, too. */
export const MAX_LISTED_PROBLEMS = 100;

/** The maximum number of versions that are named for one damaged blob. Finding them requires a scan of all versions. */
export const MAX_NAMED_VERSIONS = 16;
