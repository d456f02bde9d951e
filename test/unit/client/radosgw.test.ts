/** Tests of responses of a real Ceph Object Gateway (RGW) 16 that differ from the S3 protocol. */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { multipartEtag } from '../../../src/object-store/rules/multipart.ts';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { answer, connect, failure, objectAnswer, putAnswer, serve } from './scripted-server.ts';

const xml = (text: string, status = 200) =>
  answer(
    status,
    { 'content-type': 'application/xml' },
    `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  );

const object = { bucket: 'b', key: 'k' };
/** Connects with the S3 dialect, because RGW supports no other. */
const radosgw = (url: string) => connect(url, { dialect: amzDialect });

test('the client computes the ETag from the parts if the response to CompleteMultipartUpload has none', async () => {
  const { url } = await serve(
    xml(
      '<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Location>localhost/b/k</Location><Bucket>b</Bucket><Key>k</Key><ETag></ETag></CompleteMultipartUploadResult>',
    ),
  );
  const parts = [{ partNumber: 1, etag: 'b1946ac92492d2347c6235b4d2611184' }];
  const completed = await radosgw(url).completeUpload({
    bucket: 'b',
    key: 'k',
    uploadId: 'u',
    parts,
  });
  expect(completed).toEqual({ etag: multipartEtag(parts.map(({ etag }) => etag)) });
});

test('the client reads a listing of multipart uploads that lacks the markers that were not requested', async () => {
  const { url } = await serve(
    xml(
      '<ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>b</Bucket><MaxUploads>1000</MaxUploads><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>',
    ),
  );
  expect(await radosgw(url).listUploads({ bucket: 'b' })).toEqual({
    uploads: [],
    commonPrefixes: [],
  });
});

test('the client reads the next key marker of a version listing without percent-decoding', async () => {
  const { url } = await serve(
    xml(
      '<ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix><KeyMarker></KeyMarker><VersionIdMarker></VersionIdMarker><NextKeyMarker>a b/pct%20+1</NextKeyMarker><NextVersionIdMarker>v</NextVersionIdMarker><MaxKeys>1</MaxKeys><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><Version><Key>a%20b%2Fpct%2520%2B1</Key><VersionId>v</VersionId><IsLatest>true</IsLatest><LastModified>2026-11-22T22:46:30.000Z</LastModified><ETag>&quot;900150983cd24fb0d6963f7d28e17f72&quot;</ETag><Size>3</Size><StorageClass>STANDARD</StorageClass></Version></ListVersionsResult>',
    ),
  );
  const asked = { bucket: 'b', keyMarker: 'a b/pct%20+1', versionIdMarker: 'u', maxKeys: 1 };
  const { versions, next } = await radosgw(url).listVersions(asked);
  expect(versions.map(({ key }) => key)).toEqual(['a b/pct%20+1']);
  expect(next).toEqual({ keyMarker: 'a b/pct%20+1', versionIdMarker: 'v' });
});

test('the client reads an empty response to GetObjectTagging as an object without tags', async () => {
  const { url } = await serve(answer(200, { 'content-type': 'application/xml' }));
  expect(await radosgw(url).getObjectTags(object)).toEqual({ tags: [] });
});

test('the client ignores a tag count of zero in a response', async () => {
  const { url } = await serve(
    answer(200, {
      etag: '"af5da9f45af7a300e3aded972f8ff687-1"',
      'last-modified': 'Sat, 21 Nov 2026 11:34:35 GMT',
      'content-length': '3',
      'x-amz-tagging-count': '0',
    }),
  );
  const { info } = await radosgw(url).headObject(object);
  expect(info).not.toHaveProperty('tagCount');
});

test('the client reads a lifecycle rule with several conditions without an And element', async () => {
  const { url } = await serve(
    xml(
      '<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Rule><ID>r</ID><Filter><Prefix>a/</Prefix><Tag><Key>x</Key><Value>y</Value></Tag></Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule></LifecycleConfiguration>',
    ),
  );
  const filter = { prefix: 'a/', tags: [{ key: 'x', value: 'y' }] };
  expect(await radosgw(url).getLifecycle({ bucket: 'b' })).toEqual([
    { id: 'r', enabled: true, filter, expiration: { days: 3 } },
  ]);
});

test('the client reads a rule id with quotes in the expiration header', async () => {
  const { url } = await serve(
    answer(200, {
      etag: '"900150983cd24fb0d6963f7d28e17f72"',
      'x-amz-expiration': 'expiry-date="Wed, 25 Nov 2026 00:00:00 GMT", rule-id="s "q", x"',
    }),
  );
  const { expiration } = await radosgw(url).putObject({ ...object, body: bytesBody('abc') });
  expect(expiration).toEqual({ expiresAt: Date.UTC(2026, 10, 25), ruleId: 's "q", x' });
});

test('the client reads a public access block with the root element BlockPublicAccessBlockConfiguration', async () => {
  const { url } = await serve(
    xml(
      '<BlockPublicAccessBlockConfiguration><BlockPublicAcls>false</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>false</BlockPublicPolicy><RestrictPublicBuckets>false</RestrictPublicBuckets></BlockPublicAccessBlockConfiguration>',
    ),
  );
  expect(await radosgw(url).getPublicAccessBlock({ bucket: 'b' })).toEqual({
    blockPublicAcls: false,
    ignorePublicAcls: true,
    blockPublicPolicy: false,
    restrictPublicBuckets: false,
  });
});

test("the client recognizes RGW's error code for a key that is too long", async () => {
  const { url } = await serve(xml('<Error><Code>InvalidObjectName</Code><Message/></Error>', 400));
  const put = radosgw(url).putObject({ ...object, body: bytesBody('abc') });
  expect(await failure(put)).toMatchObject({ code: 'KeyTooLongError' });
});

test('the client reads every error code for a missing version as NoSuchVersion', async () => {
  const { url } = await serve(xml('<Error><Code>NoSuchKey</Code><Message/></Error>', 404));
  const version = { ...object, versionId: 'v' };
  const expected = { code: 'NoSuchVersion' };
  expect(await failure(radosgw(url).getObject(version))).toMatchObject(expected);
  expect(await failure(radosgw(url).headObject(version))).toMatchObject(expected);
  expect(await failure(radosgw(url).getObject(object))).toMatchObject({ code: 'NoSuchKey' });
  const copy = radosgw(url).copyObject({ ...object, source: version });
  expect(await failure(copy)).toMatchObject(expected);
});

test('the client returns the results of a bulk delete in the order of the request', async () => {
  const { url } = await serve(
    xml(
      '<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Deleted><Key>c</Key></Deleted><Deleted><Key>b</Key><VersionId>2</VersionId></Deleted><Error><Key>d</Key><Code>AccessDenied</Code><Message></Message></Error><Deleted><Key>b</Key><VersionId>1</VersionId></Deleted><Deleted><Key>a</Key></Deleted></DeleteResult>',
    ),
  );
  const objects = [
    { key: 'a' },
    { key: 'b', versionId: '1' },
    { key: 'b', versionId: '2' },
    { key: 'd' },
    { key: 'c' },
  ];
  const { deleted, failed } = await radosgw(url).deleteObjects({ bucket: 'b', objects });
  expect(deleted).toEqual(objects.filter(({ key }) => key !== 'd'));
  expect(failed).toMatchObject([{ key: 'd', code: 'AccessDenied' }]);
});

describe('request parameters that RGW ignores', () => {
  test('the client fails GetObjectAttributes if the service returns the object instead', async () => {
    const { url } = await serve(objectAnswer);
    const asked = radosgw(url).getObjectAttributes({ ...object, wanted: ['ETag'] });
    expect(await failure(asked)).toMatchObject({ code: 'NotImplemented' });
  });

  test('the client fails the read of one part if the service returns the whole object', async () => {
    const whole = answer(
      200,
      {
        etag: '"8768dcf44ea8328d4cdf59908b97d5d9-3"',
        'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
        'content-length': '3',
      },
      'abc',
    );
    const { url } = await serve(whole, whole, objectAnswer);
    const first = { ...object, partNumber: 1 };
    const refused = { code: 'NotImplemented' };
    expect(await failure(radosgw(url).getObject(first))).toMatchObject(refused);
    expect(await failure(radosgw(url).headObject(first))).toMatchObject(refused);
    expect((await radosgw(url).headObject(first)).info.sizeBytes).toBe(1);
    const second = { ...object, partNumber: 2 };
    expect(await failure(radosgw(url).headObject(second))).toMatchObject(refused);
  });

  test('the client fails a request with a customer key if the response does not confirm the key', async () => {
    const copied = xml(
      '<CopyObjectResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LastModified>2026-11-21T11:45:37.147Z</LastModified><ETag>900150983cd24fb0d6963f7d28e17f72</ETag></CopyObjectResult>',
    );
    const { url } = await serve(copied, putAnswer);
    const key = { ...object, customerKey: customerKey('k') };
    const refused = { code: 'BadResponse', sent: true };
    const copy = radosgw(url).copyObject({ ...key, source: { bucket: 'b', key: 'plain' } });
    expect(await failure(copy)).toMatchObject(refused);
    const put = radosgw(url).putObject({ ...key, body: bytesBody('abc') });
    expect(await failure(put)).toMatchObject(refused);
  });
});

test('the client sends grants in headers, because RGW refuses an XML ACL without an owner', async () => {
  const { url, requests } = await serve(answer(200));
  const grants = [
    { grantee: 'ada', permission: 'READ' },
    { grantee: 'AllUsers', permission: 'READ' },
    { grantee: 'bob', permission: 'WRITE_ACP' },
  ] as const;
  await radosgw(url).putObjectAcl({ ...object, acl: { grants } });
  expect(requests[0]?.headers).toMatchObject({
    'x-amz-grant-read': 'id="ada", uri="http://acs.amazonaws.com/groups/global/AllUsers"',
    'x-amz-grant-write-acp': 'id="bob"',
    'content-length': '0',
  });
});
