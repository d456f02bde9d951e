/**
 * Declares the four settings that block public access to a bucket, whatever its ACLs and its policy allow (semantics B.5).
 */

export interface PublicAccessBlock {
  /** Rejects an ACL that grants permissions to a group. */
  readonly blockPublicAcls: boolean;
  /** Ignores the permissions that ACLs grant to groups. */
  readonly ignorePublicAcls: boolean;
  /** Rejects a public policy, which allows everyone an action. */
  readonly blockPublicPolicy: boolean;
  /** Ignores every Allow of a public policy. */
  readonly restrictPublicBuckets: boolean;
}
