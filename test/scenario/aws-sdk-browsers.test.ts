/** Tests of CORS rules and website configurations with the unmodified AWS SDK. */

import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  DeleteBucketWebsiteCommand,
  GetBucketCorsCommand,
  GetBucketWebsiteCommand,
  HeadObjectCommand,
  PutBucketCorsCommand,
  PutBucketWebsiteCommand,
  PutObjectCommand,
  type S3Client,
  type WebsiteConfiguration,
} from '@aws-sdk/client-s3';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sdkBench } from '../helpers/sdk-bench.ts';

const bench = sdkBench();
let s3: S3Client;
let Bucket: string;
let buckets = 0;

beforeAll(() => {
  s3 = bench.client;
});

beforeEach(async () => {
  Bucket = `sdk-browsers-${(buckets += 1)}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
});

test('[cors-13] the AWS SDK puts, reads and deletes CORS rules', async () => {
  const CORSRules = [
    {
      ID: 'app',
      AllowedOrigins: ['https://*.a.test', 'http://localhost:3000'],
      AllowedMethods: ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
      MaxAgeSeconds: 3000,
    },
    { AllowedOrigins: ['*'], AllowedMethods: ['GET'] },
  ];
  const none = { name: 'NoSuchCORSConfiguration', $metadata: { httpStatusCode: 404 } };
  const current = () => s3.send(new GetBucketCorsCommand({ Bucket }));
  await expect(current()).rejects.toMatchObject(none);
  await s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
  expect((await current()).CORSRules).toEqual(CORSRules);
  const bad = [{ AllowedOrigins: ['*'], AllowedMethods: ['PATCH'] }];
  await expect(
    s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: bad } })),
  ).rejects.toMatchObject({ name: 'InvalidRequest' });
  const { $metadata } = await s3.send(new DeleteBucketCorsCommand({ Bucket }));
  expect($metadata.httpStatusCode).toBe(204);
  await expect(current()).rejects.toMatchObject(none);
});

test('[web-1] the AWS SDK puts, reads and deletes a website configuration', async () => {
  const current = async () => {
    const { $metadata: _, ...website } = await s3.send(new GetBucketWebsiteCommand({ Bucket }));
    return website;
  };
  const put = (website: WebsiteConfiguration) =>
    s3.send(new PutBucketWebsiteCommand({ Bucket, WebsiteConfiguration: website }));
  const none = { name: 'NoSuchWebsiteConfiguration', $metadata: { httpStatusCode: 404 } };
  await expect(current()).rejects.toMatchObject(none);
  const website: WebsiteConfiguration = {
    IndexDocument: { Suffix: 'index.html' },
    ErrorDocument: { Key: 'error.html' },
    RoutingRules: [
      {
        Condition: { KeyPrefixEquals: 'docs/', HttpErrorCodeReturnedEquals: '404' },
        Redirect: { ReplaceKeyPrefixWith: 'documents/', HttpRedirectCode: '302' },
      },
      { Redirect: { HostName: 'a.test', Protocol: 'https', ReplaceKeyWith: 'x' } },
    ],
  };
  await put(website);
  expect(await current()).toEqual(website);
  const redirect: WebsiteConfiguration = {
    RedirectAllRequestsTo: { HostName: 'www.a.test', Protocol: 'https' },
  };
  await put(redirect);
  expect(await current()).toEqual(redirect);
  await expect(put({})).rejects.toMatchObject({ name: 'InvalidArgument' });
  const { $metadata } = await s3.send(new DeleteBucketWebsiteCommand({ Bucket }));
  expect($metadata.httpStatusCode).toBe(204);
  await expect(current()).rejects.toMatchObject(none);
});

test('[web-33] the AWS SDK puts and reads the website redirect of an object', async () => {
  const WebsiteRedirectLocation = 'https://a.test/elsewhere?b=c';
  await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', WebsiteRedirectLocation }));
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }));
  expect(head.WebsiteRedirectLocation).toBe(WebsiteRedirectLocation);
});
