/** What a caller may be allowed or denied, in the words of bucket policies without their `s3:`. */

/** The four rights of an access control list (specification, "Access rights (ACL)"). */
export type Right = 'READ' | 'READ_ACP' | 'WRITE' | 'WRITE_ACP';

interface ActionRule {
  /** `service`: of no bucket. `upload`: of a multipart upload, which belongs to who began it. */
  readonly on: 'bucket' | 'object' | 'service' | 'upload';
  /** The right in the list of what it is done to that gives it; absent: no list does. */
  readonly right?: Right;
  /** The right in the list of the bucket that gives it too, where it is done to an object. */
  readonly bucketRight?: Right;
  /** The right in the list of the bucket that gives it for an object that is only to be made. */
  readonly newRight?: Right;
  /** It puts something new in place of the object, so that the bucket's owner may whoever owns the object. */
  readonly replaces?: true;
}

/** On buckets, by a policy or for the bucket's project alone. */
const CONFIGURES = { on: 'bucket' } as const;
/** On objects, by a policy or for the object's project alone. */
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
