/** Tests of CreateMultipartUpload over HTTP. */

import { expect, test } from 'vitest';
import { bytesBody } from '../../../src/object-store/body.ts';
import { badAclHeaders } from '../../helpers/acl-questions.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const uploads = async () =>
    (await wire.store.listUploads({ bucket: wire.get('box') })).uploads.map(({ key }) => key);

  test.each(['POST /{box}/k%20%C3%BC&?uploads', 'POST /{box}/k%20%C3%BC&?uploads=&x-id=x'])(
    '%s returns the id of a new multipart upload',
    async (line) => {
      const answer = await wire.send(line);
      wire.nameElement('id', answer, 'UploadId');
      expect(wire.show(line, answer)).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body:
          `<InitiateMultipartUploadResult xmlns="${wire.dialect.xmlNamespace}">` +
          '<Bucket>{box}</Bucket><Key>k ü&amp;</Key><UploadId>{id}</UploadId>' +
          '</InitiateMultipartUploadResult>',
      });
      expect(await uploads()).toEqual(['k ü&']);
    },
  );

  test('[mpu-1] CreateMultipartUpload returns a new id each time, and does not create an object', async () => {
    wire.nameElement('one', await wire.send('POST /{box}/k?uploads'), 'UploadId');
    const two = await wire.send('POST /{box}/k?uploads', { as: colleague });
    wire.nameElement('two', two, 'UploadId');
    expect(wire.get('one')).not.toBe(wire.get('two'));
    expect(wire.get('one')).toMatch(/^[\w.-]{16,}$/);
    expect(await uploads()).toEqual(['k', 'k']);
    expect((await wire.send('HEAD /{box}/k')).status).toBe(404);
  });

  test.each(['..', 'a//b', '/lead', 'k'.repeat(1024)])(
    'CreateMultipartUpload treats the key %s literally',
    async (key) => {
      await wire.ask(`POST /{box}/${key}?uploads`);
      expect(await uploads()).toEqual([key]);
    },
  );

  test('CreateMultipartUpload accepts the header x-amz-metadata-directive: REPLACE', async () => {
    const headers = { 'x-*-metadata-directive': 'REPLACE' };
    expect((await wire.send('POST /{box}/k?uploads', { headers })).status).toBe(200);
  });

  refusesStrangers(wire, 'POST /{box}/k?uploads');

  const given = (name: string, value: string) => ({ headers: { [name]: value } });
  test('[acl-15] a multipart object has the ACL that CreateMultipartUpload set', async () => {
    const given = { headers: { 'x-*-acl': 'public-read' } };
    wire.nameElement('u', await wire.send('POST /{box}/k?uploads', given), 'UploadId');
    const [bucket, uploadId] = [wire.get('box'), wire.get('u')];
    const ref = { bucket, key: 'k', uploadId };
    const part = await wire.store.uploadPart({ ...ref, partNumber: 1, body: bytesBody('x') });
    await wire.store.completeUpload({ ...ref, parts: [{ partNumber: 1, etag: part.etag }] });
    const { grants } = await wire.store.getObjectAcl({ bucket, key: 'k' });
    expect(grants.map(({ grantee }) => grantee)).toEqual(['AllUsers', 'p1:ada@c1']);
  });

  wire.refuses([
    ...badAclHeaders('POST /{box}/k?uploads'),
    [
      'an unexpected request body',
      'POST /{box}/k?uploads',
      { body: 'x' },
      { status: 400, Code: 'UnexpectedContent' },
    ],
    [
      'a lock header in a bucket without Object Lock',
      'POST /{box}/k?uploads',
      given('x-*-object-lock-legal-hold', 'ON'),
      { status: 400, Code: 'InvalidRequest' },
    ],
    [
      'a retention mode without a date',
      'POST /{box}/k?uploads',
      given('x-*-object-lock-mode', 'COMPLIANCE'),
      {
        status: 400,
        Code: 'InvalidArgument',
        ArgumentName: 'object-lock-mode',
        ArgumentValue: 'COMPLIANCE',
      },
    ],
    [
      'user metadata of 2,049 bytes',
      'POST /{box}/k?uploads',
      given('x-*-meta-name', 'v'.repeat(2045)),
      { status: 400, Code: 'MetadataTooLarge', Size: '2049', MaxSizeAllowed: '2048' },
    ],
    [
      'a key of 1,025 bytes',
      `POST /{box}/${'k'.repeat(1025)}?uploads`,
      {},
      { status: 400, Code: 'KeyTooLongError', Size: '1025', MaxSizeAllowed: '1024' },
    ],
    ...['x-*-server-side-encryption', 'x-*-metadata-directive'].map(
      (name) =>
        [
          `the header ${name}`,
          'POST /{box}/k?uploads',
          given(name, 'x'),
          { status: 501, Code: 'NotImplemented', Header: wire.spelt(name) },
        ] as const,
    ),
    [
      'a POST of an object without ?uploads',
      'POST /{box}/k',
      {},
      {
        status: 412,
        Code: 'PreconditionFailed',
        Condition: 'Bucket POST must be of the enclosure-type multipart/form-data',
      },
    ],
    [
      'a PUT with ?uploads',
      'PUT /{box}/k?uploads',
      { body: 'x' },
      { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'UPLOADS' },
    ],
    [
      'two subresources',
      'POST /{box}/k?uploads&uploadId=x',
      {},
      { status: 400, Code: 'InvalidArgument', ArgumentName: 'uploadId', ArgumentValue: '' },
    ],
  ]);
});
