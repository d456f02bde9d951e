/**
 * Defines the four settings that block public access to a bucket, whatever its ACLs and its policy allow (semantics
 * B.5).
 */

export interface PublicAccessBlock {
  /** Rejects a new ACL that grants permissions to a group. */
  readonly blockPublicAcls: boolean;
  /** Ignores the permissions that existing ACLs grant to groups. */
  readonly ignorePublicAcls: boolean;
  /** Rejects a new policy that is public, that is, allows an action to everyone. */
  readonly blockPublicPolicy: boolean;
  /** Ignores every Allow of an existing policy that is public. */
  readonly restrictPublicBuckets: boolean;
}
