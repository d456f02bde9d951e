/** Actions that a policy may allow or deny, named as in bucket policies without the prefix `s3:`. */

/** The four permissions of an ACL (specification, "Access rights (ACL)"). */
export type Right = 'READ' | 'READ_ACP' | 'WRITE' | 'WRITE_ACP';

interface ActionRule {
  /** `service`: applies to no bucket. `upload`: applies to a multipart upload, which belongs to its initiator. */
  readonly on: 'bucket' | 'object' | 'service' | 'upload';
  /** The permission in the resource's own ACL that allows the action; if absent, no such ACL can. */
  readonly right?: Right;
  /** The permission in the bucket's ACL that also allows the action on an object. */
  readonly bucketRight?: Right;
  /** The permission in the bucket's ACL that allows the action on an object that does not exist yet. */
  readonly newRight?: Right;
  /** The action replaces the object, so the bucket's owner may do it even if another user owns the object. */
  readonly replaces?: true;
}

/** Actions on buckets that only a policy or membership of the bucket's project allows. */
const CONFIGURES = { on: 'bucket' } as const;
/** Actions on objects that only a policy or membership of the object's project allows. */
const DESCRIBES = { on: 'object' } as const;

export const ACTIONS = {
  AbortMultipartUpload: { on: 'upload' },
  BypassGovernanceRetention: DESCRIBES,
  CreateBucket: { on: 'service' },
  DeleteBucket: CONFIGURES,
  DeleteBucketPolicy: CONFIGURES,
  DeleteBucketWebsite: CONFIGURES,
  DeleteObject: { on: 'object', bucketRight: 'WRITE' },
  DeleteObjectTagging: DESCRIBES,
  DeleteObjectVersion: { on: 'object', bucketRight: 'WRITE' },
  DeleteObjectVersionTagging: DESCRIBES,
  GetBucketAcl: { on: 'bucket', right: 'READ_ACP' },
  GetBucketCORS: CONFIGURES,
  GetBucketLocation: { on: 'bucket', right: 'READ' },
  GetBucketObjectLockConfiguration: CONFIGURES,
  GetBucketPolicy: CONFIGURES,
  GetBucketPolicyStatus: CONFIGURES,
  GetBucketPublicAccessBlock: CONFIGURES,
  GetBucketTagging: CONFIGURES,
  GetBucketVersioning: CONFIGURES,
  GetBucketWebsite: CONFIGURES,
  GetLifecycleConfiguration: CONFIGURES,
  GetObject: { on: 'object', right: 'READ' },
  GetObjectAcl: { on: 'object', right: 'READ_ACP' },
  GetObjectAttributes: { on: 'object', right: 'READ' },
  GetObjectLegalHold: DESCRIBES,
  GetObjectRetention: DESCRIBES,
  GetObjectTagging: DESCRIBES,
  GetObjectVersion: { on: 'object', right: 'READ' },
  GetObjectVersionAcl: { on: 'object', right: 'READ_ACP' },
  GetObjectVersionAttributes: { on: 'object', right: 'READ' },
  GetObjectVersionTagging: DESCRIBES,
  ListAllMyBuckets: { on: 'service' },
  ListBucket: { on: 'bucket', right: 'READ' },
  ListBucketMultipartUploads: { on: 'bucket', right: 'READ' },
  ListBucketVersions: { on: 'bucket', right: 'READ' },
  ListMultipartUploadParts: { on: 'upload' },
  PutBucketAcl: { on: 'bucket', right: 'WRITE_ACP' },
  PutBucketCORS: CONFIGURES,
  PutBucketObjectLockConfiguration: CONFIGURES,
  PutBucketPolicy: CONFIGURES,
  PutBucketPublicAccessBlock: CONFIGURES,
  PutBucketTagging: CONFIGURES,
  PutBucketVersioning: CONFIGURES,
  PutBucketWebsite: CONFIGURES,
  PutLifecycleConfiguration: CONFIGURES,
  PutObject: { on: 'object', right: 'WRITE', bucketRight: 'WRITE', replaces: true },
  PutObjectAcl: { on: 'object', right: 'WRITE_ACP', newRight: 'WRITE' },
  PutObjectLegalHold: DESCRIBES,
  PutObjectRetention: DESCRIBES,
  PutObjectTagging: { on: 'object', newRight: 'WRITE' },
  PutObjectVersionAcl: { on: 'object', right: 'WRITE_ACP' },
  PutObjectVersionTagging: DESCRIBES,
} as const satisfies Readonly<Record<string, ActionRule>>;

export type Action = keyof typeof ACTIONS;

export function actionRule(action: Action): ActionRule {
  return ACTIONS[action];
}
