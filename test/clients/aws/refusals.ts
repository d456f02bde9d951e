/**
 * Checks of the error codes of failed requests. The codes must be stable, because scripts compare
 * them.
 */

import { writeContent } from '../content.ts';
import type { Aws } from './aws.ts';

export async function checkRefusals(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('refusals');
  const missing = { bucket: lane.bucketName('missing') };
  const object = { bucket, key: 'key' };
  const body = lane.path('content');
  writeContent(body, 'content');
  await aws.api('create-bucket', { bucket });

  for (const [code, operation, options] of [
    ['NoSuchKey', 'get-object', object],
    ['404', 'head-object', object],
    ['404', 'head-bucket', missing],
    ['NoSuchBucket', 'list-objects-v2', missing],
    ['NoSuchBucket', 'put-object', { ...missing, key: 'key', body }],
    ['NoSuchUpload', 'list-parts', { ...object, uploadId: 'no-such-upload' }],
    ['KeyTooLongError', 'put-object', { bucket, key: 'k'.repeat(1025), body }],
    ['InvalidArgument', 'list-objects-v2', { bucket, continuationToken: 'forged' }],
    // These S3 features are not supported. The service must reject them instead of ignoring them.
    ['NotImplemented', 'put-object', { ...object, body, serverSideEncryption: 'aws:kms' }],
    ['InvalidStorageClass', 'create-multipart-upload', { ...object, storageClass: 'GLACIER' }],
    ['NotImplemented', 'get-bucket-logging', { bucket }],
    ['NotImplemented', 'restore-object', object],
  ] as const) {
    await lane.check(`${operation} fails with ${code}`, () =>
      aws.refused(code, operation, options),
    );
  }

  const asAnother = (environment: Record<string, string>, code?: string): Promise<void> =>
    aws.apiAs(environment, code, 'list-objects-v2', { bucket });
  await lane.check('a request with a wrong secret key fails with SignatureDoesNotMatch', () =>
    asAnother({ AWS_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'),
  );
  await lane.check('a request with an unknown access key ID fails with InvalidAccessKeyId', () =>
    asAnother({ AWS_ACCESS_KEY_ID: 'holdfast:nobody@local' }, 'InvalidAccessKeyId'),
  );
  await lane.check(
    'list-objects-v2 succeeds although the client is configured for another region',
    () => asAnother({ AWS_DEFAULT_REGION: 'eu-west-3' }),
  );
  await lane.check('a request without a signature fails with AccessDenied', () =>
    aws.refused('AccessDenied', 'list-objects-v2', { bucket, noSignRequest: true }),
  );
}
