/** Defines the problems of a store that a check reports and a repair fixes. */

/** A version whose bytes are damaged. */
export interface DamagedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** A violation of the store's format, as FORMAT.md describes it. */
export interface StoreProblem {
  /** A stable code in kebab case: the code of a rule, `database` or `bytes-damaged`. */
  readonly code: string;
  /** The name of the file, blob, version or other item with the problem. */
  readonly subject: string;
  readonly message: string;
  /** What a repair does. Absent if the problem can be fixed only from a backup. */
  readonly repair?: string | undefined;
  /** Some of the versions that cannot be read because of this problem. */
  readonly versions?: readonly DamagedVersion[] | undefined;
}

/** The maximum number of problems that are listed for each code. The total number is reported too. */
export const MAX_LISTED_PROBLEMS = 100;

/** The maximum number of versions that are listed for one damaged blob. To find them, all versions must be scanned. */
export const MAX_NAMED_VERSIONS = 16;
