/** Tests of selecting the operation for a request by its method, path and query. */

import { describe, expect, test } from 'vitest';
import { route, type RoutedBy } from '../../../src/gateway/route.ts';
import { parsePath, parseQuery } from '../../../src/protocol/paths.ts';

function routed(method: string, url: string, more: Partial<RoutedBy> = {}): string {
  const [path = '', query = ''] = url.split('?');
  const parsed = { target: parsePath(path), query: parseQuery(query) };
  return route({ method, ...parsed, copies: false, ...more });
}

const refusal = (code: string) => expect.objectContaining({ code });

describe('supported requests', () => {
  test.each([
    ['GET', '/', 'ListBuckets'],
    ['PUT', '/b', 'CreateBucket'],
    ['PUT', '/b/', 'CreateBucket'],
    ['HEAD', '/b', 'HeadBucket'],
    ['DELETE', '/b', 'DeleteBucket'],
    ['GET', '/b?location', 'GetBucketLocation'],
    ['GET', '/b/?versioning=', 'GetBucketVersioning'],
    ['PUT', '/b?versioning=null', 'PutBucketVersioning'],
    ['GET', '/b?object-lock', 'GetObjectLockConfiguration'],
    ['PUT', '/b?object-lock', 'PutObjectLockConfiguration'],
    ['GET', '/b?cors', 'GetBucketCors'],
    ['PUT', '/b?cors', 'PutBucketCors'],
    ['DELETE', '/b?cors=', 'DeleteBucketCors'],
    ['GET', '/b/?website', 'GetBucketWebsite'],
    ['PUT', '/b?website', 'PutBucketWebsite'],
    ['DELETE', '/b?website=null', 'DeleteBucketWebsite'],
    ['GET', '/b/k?retention', 'GetObjectRetention'],
    ['PUT', '/b/k?retention=null', 'PutObjectRetention'],
    ['GET', '/b/k?legal-hold&versionId=1', 'GetObjectLegalHold'],
    ['PUT', '/b/k?legal-hold&versionId=1', 'PutObjectLegalHold'],
    ['GET', '/b?list-type=2&prefix=a', 'ListObjectsV2'],
    ['GET', '/b?prefix=a&x-id=ListObjects', 'ListObjects'],
    ['GET', '/b?versions', 'ListObjectVersions'],
    ['POST', '/b/?delete', 'DeleteObjects'],
    ['GET', '/b?uploads', 'ListMultipartUploads'],
    ['PUT', '/b/k?x-id=PutObject', 'PutObject'],
    ['GET', '/b/k?versionId=1&unknown=1', 'GetObject'],
    ['HEAD', '/b/k', 'HeadObject'],
    ['DELETE', '/b/k?versionId=1', 'DeleteObject'],
    ['POST', '/b/k?uploads', 'CreateMultipartUpload'],
    ['PUT', '/b/k?partNumber=1&uploadId=u', 'UploadPart'],
    ['POST', '/b/k?uploadId=u', 'CompleteMultipartUpload'],
    ['DELETE', '/b/k?uploadId=u', 'AbortMultipartUpload'],
    ['GET', '/b/k?uploadId=u', 'ListParts'],
  ])('the gateway routes the request %s %s to %s', (method, url, operation) => {
    expect(routed(method, url)).toBe(operation);
  });

  test('the gateway routes a request with a copy source to the copy operations', () => {
    const copies = { copies: true };
    expect(routed('PUT', '/b/k', copies)).toBe('CopyObject');
    expect(routed('PUT', '/b/k?partNumber=1&uploadId=u', copies)).toBe('UploadPartCopy');
  });
});

describe('unsupported requests', () => {
  test.each([
    ['PUT', '/b/k?X-Amz-Object-Lock-Mode=COMPLIANCE&X-Amz-Signature=0'],
    ['DELETE', '/b/k?X-Svc-Security-Token=0'],
    ['PUT', '/b/k?restore'],
    ['PUT', '/b/k?restore='],
    ['PUT', '/b?accelerate=null'],
    ['PUT', '/b?replication'],
    ['PUT', '/b/k?bogus'],
    ['PUT', '/b/k?bogus=1'],
    ['DELETE', '/b/k?bogus=1'],
    ['GET', '/b?bogus'],
    ['GET', '/b/k?bogus=null'],
  ])('the gateway refuses the request %s %s as not implemented', (method, url) => {
    expect(() => routed(method, url)).toThrow(refusal('NotImplemented'));
  });

  test.each([
    ['PUT', '/'],
    ['POST', '/'],
    ['DELETE', '/'],
    ['PATCH', '/b/k'],
    ['PATCH', '/b?acl'],
    ['PROPFIND', '/'],
    ['DELETE', '/b?versioning'],
    ['PUT', '/b/k?versioning'],
    ['PUT', '/b/k?uploads'],
    ['HEAD', '/b?location'],
    ['POST', '/b?cors'],
    ['GET', '/b/k?website'],
  ])('the gateway refuses the request %s %s because the method is not allowed', (method, url) => {
    expect(() => routed(method, url)).toThrow(refusal('MethodNotAllowed'));
  });

  test.each(['/b', '/b/k'])('the gateway refuses a POST to %s that names no operation', (url) => {
    expect(() => routed('POST', url)).toThrow(refusal('PreconditionFailed'));
  });

  test('the gateway refuses a form upload to an object path', () => {
    expect(() => routed('POST', '/b/k', { isForm: true })).toThrow(refusal('MethodNotAllowed'));
    expect(routed('POST', '/b', { isForm: true })).toBe('PostObject');
  });

  test('the gateway refuses a request with two conflicting subresources', () => {
    expect(() => routed('GET', '/b?versions&uploads')).toThrow(refusal('InvalidArgument'));
  });
});
