/**
 * Finds the action of a request whose body is an XML or JSON document, so that the caller's permission is checked
 * before the body is read.
 */

import type { Action } from '../object-store/action.ts';
import type { RequestedAction } from '../object-store/request-access.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { WireQuery } from '../protocol/wire.ts';
import type { RequestHead } from './request-head.ts';

interface Rights {
  readonly action: Action;
  /** The action for a request that has a version ID. Absent if the operation does not accept a version ID. */
  readonly ofVersion?: Action;
}

/** The actions of all operations whose request body is an XML or JSON document. */
const RIGHTS: Partial<Record<OperationName, Rights>> = {
  CreateBucket: { action: 'CreateBucket' },
  PutBucketVersioning: { action: 'PutBucketVersioning' },
  PutBucketAcl: { action: 'PutBucketAcl' },
  PutObjectAcl: { action: 'PutObjectAcl', ofVersion: 'PutObjectVersionAcl' },
  PutBucketPolicy: { action: 'PutBucketPolicy' },
  PutPublicAccessBlock: { action: 'PutBucketPublicAccessBlock' },
  PutObjectLockConfiguration: { action: 'PutBucketObjectLockConfiguration' },
  PutBucketLifecycleConfiguration: { action: 'PutLifecycleConfiguration' },
  PutBucketCors: { action: 'PutBucketCORS' },
  PutBucketWebsite: { action: 'PutBucketWebsite' },
  PutBucketTagging: { action: 'PutBucketTagging' },
  PutObjectTagging: { action: 'PutObjectTagging', ofVersion: 'PutObjectVersionTagging' },
  PutObjectRetention: { action: 'PutObjectRetention', ofVersion: 'PutObjectRetention' },
  PutObjectLegalHold: { action: 'PutObjectLegalHold', ofVersion: 'PutObjectLegalHold' },
  DeleteObjects: { action: 'DeleteObject' },
  CompleteMultipartUpload: { action: 'PutObject' },
};

/**
 * Returns the action that the caller needs permission for. Returns undefined if the operation's request body is not a
 * document.
 */
export function actionOfDocument(
  operation: OperationName,
  { target: { bucket, key }, parameters }: Pick<RequestHead, 'parameters' | 'target'>,
): RequestedAction | undefined {
  const rights = RIGHTS[operation];
  if (rights === undefined || bucket === undefined) return undefined;
  const versionId = parameterOf(parameters, 'versionId');
  const action = (versionId === undefined ? undefined : rights.ofVersion) ?? rights.action;
  return { action, bucket, key, versionId, uploadId: parameterOf(parameters, 'uploadId') };
}

/** Returns the first value of a query parameter. A repeated parameter is refused later, when the request is decoded. */
function parameterOf(query: WireQuery, name: string): string | undefined {
  return query.find(([each]) => each === name)?.[1];
}
