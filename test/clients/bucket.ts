/** Uses the AWS SDK to create or read states that a tested client cannot create or read itself. */

import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';

import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { HeadObjectOutput } from '@aws-sdk/client-s3';

import type { Service } from './service.ts';

export async function makeBucket(
  service: Service,
  bucket: string,
  { objectLock = false } = {},
): Promise<void> {
  const command = new CreateBucketCommand({
    Bucket: bucket,
    ObjectLockEnabledForBucket: objectLock,
  });
  await withSdk(service, (sdk) => sdk.send(command));
}

export async function startUpload(service: Service, bucket: string, key: string): Promise<string> {
  const command = new CreateMultipartUploadCommand({ Bucket: bucket, Key: key });
  const { UploadId } = await withSdk(service, (sdk) => sdk.send(command));
  return UploadId ?? '';
}

/** Returns the tags of an object in the form `colour=blue&shape=round`. */
export async function tagsOf(service: Service, bucket: string, key: string): Promise<string> {
  const command = new GetObjectTaggingCommand({ Bucket: bucket, Key: key });
  const { TagSet = [] } = await withSdk(service, (sdk) => sdk.send(command));
  return TagSet.map(({ Key, Value }) => `${Key}=${Value}`).join('&');
}

export function headOf(service: Service, bucket: string, key: string): Promise<HeadObjectOutput> {
  const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
  return withSdk(service, (sdk) => sdk.send(command));
}

async function withSdk<T>(service: Service, use: (sdk: S3Client) => Promise<T>): Promise<T> {
  const { endpoint, region, accessKeyId, secretAccessKey, caFile } = service;
  const sdk = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    ...(caFile !== undefined && {
      requestHandler: { httpsAgent: new Agent({ ca: readFileSync(caFile) }) },
    }),
  });
  try {
    return await use(sdk);
  } finally {
    sdk.destroy();
  }
}
