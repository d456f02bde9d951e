/** What no client here can make: a bucket for those that only use one, an upload that nobody ends. */

import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';

import { CreateBucketCommand, CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';

import type { Service } from './service.ts';

export async function makeBucket(service: Service, bucket: string): Promise<void> {
  await withSdk(service, (sdk) => sdk.send(new CreateBucketCommand({ Bucket: bucket })));
}

/** The upload's id. */
export async function startUpload(service: Service, bucket: string, key: string): Promise<string> {
  const command = new CreateMultipartUploadCommand({ Bucket: bucket, Key: key });
  const { UploadId } = await withSdk(service, (sdk) => sdk.send(command));
  return UploadId ?? '';
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
