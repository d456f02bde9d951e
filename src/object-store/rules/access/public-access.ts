/** The four switches that keep a bucket from the public, whatever its lists and its policy say (semantics B.5). */

export interface PublicAccessBlock {
  /** A list that gives a group something is refused. */
  readonly blockPublicAcls: boolean;
  /** What lists give to groups counts for nothing. */
  readonly ignorePublicAcls: boolean;
  /** A policy that allows everyone something is refused. */
  readonly blockPublicPolicy: boolean;
  /** While the policy is such a one, it allows nobody anything. */
  readonly restrictPublicBuckets: boolean;
}
