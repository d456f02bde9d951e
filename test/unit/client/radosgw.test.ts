/** Answers of a real Ceph RGW 16, which leave out what the protocol promises. */

import { expect, test } from 'vitest';

import { multipartEtag } from '../../../src/object-store/rules/multipart.ts';
import { answer, connect, serve } from './scripted-server.ts';

const xml = (text: string) =>
  answer(
    200,
    { 'content-type': 'application/xml' },
    `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  );

test('a completion without an ETag has the one that its parts make', async () => {
  const { url } = await serve(
    xml(
      '<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Location>localhost/b/k</Location><Bucket>b</Bucket><Key>k</Key><ETag></ETag></CompleteMultipartUploadResult>',
    ),
  );
  const parts = [{ partNumber: 1, etag: 'b1946ac92492d2347c6235b4d2611184' }];
  const completed = await connect(url).completeUpload({
    bucket: 'b',
    key: 'k',
    uploadId: 'u',
    parts,
  });
  expect(completed).toEqual({ etag: multipartEtag(parts.map(({ etag }) => etag)) });
});

test('a list of uploads need not repeat the markers that were not asked for', async () => {
  const { url } = await serve(
    xml(
      '<ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>b</Bucket><MaxUploads>1000</MaxUploads><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>',
    ),
  );
  expect(await connect(url).listUploads({ bucket: 'b' })).toEqual({
    uploads: [],
    commonPrefixes: [],
  });
});
