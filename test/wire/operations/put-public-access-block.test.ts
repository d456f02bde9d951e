/** Tests of PutPublicAccessBlock over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const document = (inside: string) => ({
  body: `<PublicAccessBlockConfiguration xmlns="urn:x">${inside}</PublicAccessBlockConfiguration>`,
});
const on = (name: string) => document(`<${name}>true</${name}>`);

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?publicAccessBlock';
  const bucket = () => wire.get('box');
  const done = { status: 200, headers: { 'content-length': '0' }, body: '' };
  const publicPolicy = () =>
    JSON.stringify({
      Statement: {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${bucket()}/*`,
      },
    });
  const anonymously = async () => {
    const url = wire.fill('/{box}/a');
    const socket = wire.bench.connect();
    socket.write(`GET ${url} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    return (await socket.answer('GET')).status;
  };

  test('[acl-11] PutPublicAccessBlock turns off each setting that the XML body omits', async () => {
    expect(await wire.ask(line, on('IgnorePublicAcls'))).toEqual(done);
    expect(await wire.store.getPublicAccessBlock({ bucket: bucket() })).toEqual({
      blockPublicAcls: false,
      ignorePublicAcls: true,
      blockPublicPolicy: false,
      restrictPublicBuckets: false,
    });
  });

  test('[acl-12] with BlockPublicAcls, requests that set a public ACL are rejected, and existing ACLs stay', async () => {
    await wire.put('a', 'x', { acl: { canned: 'public-read' } });
    expect(await wire.ask(line, on('BlockPublicAcls'))).toEqual(done);
    const publicRead = { headers: { 'x-*-acl': 'public-read' } };
    const denied = { status: 403, Code: 'AccessDenied' };
    expect(await wire.refusal('PUT /{box}?acl', publicRead)).toEqual(denied);
    expect(await wire.refusal('PUT /{box}/a?acl', publicRead)).toEqual(denied);
    expect(await wire.refusal('PUT /{box}/b', { ...publicRead, body: 'x' })).toEqual(denied);
    expect(await wire.refusal('POST /{box}/b?uploads', publicRead)).toEqual(denied);
    const copied = { headers: { ...publicRead.headers, 'x-*-copy-source': '/{box}/a' } };
    expect(await wire.refusal('PUT /{box}/b', copied)).toEqual(denied);
    const toOne = { headers: { 'x-*-grant-read': 'id="p2@c1"' } };
    expect((await wire.send('PUT /{box}/a?acl', toOne)).status).toBe(200);
  });

  test('[acl-12] with IgnorePublicAcls, public ACLs stay but permit no access', async () => {
    await wire.put('a', 'x', { acl: { canned: 'public-read' } });
    expect(await anonymously()).toBe(200);
    expect(await wire.ask(line, on('IgnorePublicAcls'))).toEqual(done);
    expect(await anonymously()).toBe(403);
  });

  test('[acl-12] with RestrictPublicBuckets, a public policy permits no access to anonymous callers', async () => {
    await wire.put('a', 'x');
    await wire.store.putBucketPolicy({ bucket: bucket(), policy: publicPolicy() });
    expect(await anonymously()).toBe(200);
    expect(await wire.ask(line, on('RestrictPublicBuckets'))).toEqual(done);
    expect(await anonymously()).toBe(403);
    expect((await wire.send('GET /{box}/a')).status).toBe(200);
  });

  refusesStrangers(wire, line, on('BlockPublicAcls'));

  const malformed = { status: 400, Code: 'MalformedXML' };
  wire.refuses([
    ['a missing body', line, {}, malformed],
    ['an empty body', line, { body: '' }, malformed],
    ['an XML document with another root element', line, { body: '<Other/>' }, malformed],
    ['an incomplete XML document', line, { body: '<PublicAccessBlockConfiguration>' }, malformed],
    ['an unknown setting', line, on('BlockPublicAcl'), malformed],
    [
      'a value other than true or false',
      line,
      document('<BlockPublicAcls>on</BlockPublicAcls>'),
      malformed,
    ],
    ['an empty setting', line, document('<BlockPublicAcls/>'), malformed],
    [
      'a duplicate setting',
      line,
      document('<BlockPublicAcls>true</BlockPublicAcls><BlockPublicAcls>false</BlockPublicAcls>'),
      malformed,
    ],
    [
      'an XML entity declaration',
      line,
      { body: `<!DOCTYPE a [<!ENTITY b "true">]>${on('BlockPublicAcls').body}` },
      malformed,
    ],
    [
      'a body of more than 1 MiB',
      line,
      document(' '.repeat(1024 * 1024)),
      { status: 400, Code: 'MaxMessageLengthExceeded' },
    ],
  ]);
});
