/**
 * Defines the actions that a policy can allow or deny. The names of the actions are those in bucket policies without
 * the prefix `s3:`.
 */

/**
 * The ACL permissions that an action can require. A grant can also contain `FULL_CONTROL`, which includes all four
 * permissions (specification, "Access rights (ACL)").
 */
export type AclPermission = 'READ' | 'READ_ACP' | 'WRITE' | 'WRITE_ACP';

interface ActionRule {
  /**
   * The type of resource on which the action operates. `service` means the service itself, not a bucket. `upload` means
   * a multipart upload, which belongs to its initiator.
   */
  readonly on: 'bucket' | 'object' | 'service' | 'upload';
  /**
   * The permission that allows the action if the ACL of the bucket or object grants it. If absent, that ACL cannot
   * allow the action.
   */
  readonly permission?: AclPermission;
  /** The permission in the bucket's ACL that also allows this action on an object. */
  readonly bucketPermission?: AclPermission;
  /** The permission in the bucket's ACL that allows this action on an object that does not exist yet. */
  readonly newObjectPermission?: AclPermission;
  /**
   * True if the action replaces the object. The action can then be allowed by membership in the bucket's project, by
   * the bucket's policy or by its ACL, even if the object belongs to a different project.
   */
  readonly replaces?: true;
}

/**
 * The rule for bucket actions that no ACL can allow. Only a policy or membership in the bucket's project allows them.
 */
const CONFIGURES = { on: 'bucket' } as const;
/**
 * The rule for object actions that no ACL can allow. Only a policy or membership in the object's project allows them.
 */
const DESCRIBES = { on: 'object' } as const;

export const ACTIONS = {
  AbortMultipartUpload: { on: 'upload' },
  BypassGovernanceRetention: DESCRIBES,
  CreateBucket: { on: 'service' },
  DeleteBucket: CONFIGURES,
  DeleteBucketPolicy: CONFIGURES,
  DeleteBucketWebsite: CONFIGURES,
  DeleteObject: { on: 'object', bucketPermission: 'WRITE' },
  DeleteObjectTagging: DESCRIBES,
  DeleteObjectVersion: { on: 'object', bucketPermission: 'WRITE' },
  DeleteObjectVersionTagging: DESCRIBES,
  GetBucketAcl: { on: 'bucket', permission: 'READ_ACP' },
  GetBucketCORS: CONFIGURES,
  GetBucketLocation: { on: 'bucket', permission: 'READ' },
  GetBucketObjectLockConfiguration: CONFIGURES,
  GetBucketPolicy: CONFIGURES,
  GetBucketPolicyStatus: CONFIGURES,
  GetBucketPublicAccessBlock: CONFIGURES,
  GetBucketTagging: CONFIGURES,
  GetBucketVersioning: CONFIGURES,
  GetBucketWebsite: CONFIGURES,
  GetLifecycleConfiguration: CONFIGURES,
  GetObject: { on: 'object', permission: 'READ' },
  GetObjectAcl: { on: 'object', permission: 'READ_ACP' },
  GetObjectAttributes: { on: 'object', permission: 'READ' },
  GetObjectLegalHold: DESCRIBES,
  GetObjectRetention: DESCRIBES,
  GetObjectTagging: DESCRIBES,
  GetObjectVersion: { on: 'object', permission: 'READ' },
  GetObjectVersionAcl: { on: 'object', permission: 'READ_ACP' },
  GetObjectVersionAttributes: { on: 'object', permission: 'READ' },
  GetObjectVersionTagging: DESCRIBES,
  ListAllMyBuckets: { on: 'service' },
  ListBucket: { on: 'bucket', permission: 'READ' },
  ListBucketMultipartUploads: { on: 'bucket', permission: 'READ' },
  ListBucketVersions: { on: 'bucket', permission: 'READ' },
  ListMultipartUploadParts: { on: 'upload' },
  PutBucketAcl: { on: 'bucket', permission: 'WRITE_ACP' },
  PutBucketCORS: CONFIGURES,
  PutBucketObjectLockConfiguration: CONFIGURES,
  PutBucketPolicy: CONFIGURES,
  PutBucketPublicAccessBlock: CONFIGURES,
  PutBucketTagging: CONFIGURES,
  PutBucketVersioning: CONFIGURES,
  PutBucketWebsite: CONFIGURES,
  PutLifecycleConfiguration: CONFIGURES,
  PutObject: { on: 'object', permission: 'WRITE', bucketPermission: 'WRITE', replaces: true },
  PutObjectAcl: { on: 'object', permission: 'WRITE_ACP', newObjectPermission: 'WRITE' },
  PutObjectLegalHold: DESCRIBES,
  PutObjectRetention: DESCRIBES,
  PutObjectTagging: { on: 'object', newObjectPermission: 'WRITE' },
  PutObjectVersionAcl: { on: 'object', permission: 'WRITE_ACP' },
  PutObjectVersionTagging: DESCRIBES,
} as const satisfies Readonly<Record<string, ActionRule>>;

export type Action = keyof typeof ACTIONS;

export function actionRule(action: Action): ActionRule {
  return ACTIONS[action];
}
