/** Tests of PutBucketVersioning over HTTP. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const configuration = (inside: string) => ({
  body: `<VersioningConfiguration xmlns="urn:x">${inside}</VersioningConfiguration>`,
});
const status = (word: string) => configuration(`<Status>${word}</Status>`);

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?versioning';
  const versioning = () => wire.store.getVersioning({ bucket: wire.get('box') });

  test('[ver-1] PutBucketVersioning enables, suspends and enables versioning again', async () => {
    for (const word of ['Enabled', 'Suspended', 'Enabled']) {
      expect(await wire.ask(line, status(word))).toEqual({
        status: 200,
        headers: { 'content-length': '0' },
        body: '',
      });
      expect(await versioning()).toBe(word);
    }
  });

  test('PutBucketVersioning can suspend versioning that was never enabled', async () => {
    await wire.ask('PUT /{box}/?versioning=null', status('Suspended'));
    expect(await versioning()).toBe('Suspended');
  });

  test.each([
    ['an XML declaration', { body: `<?xml version="1.0"?>\n${status('Enabled').body}` }],
    ['a byte order mark', { body: `\uFEFF${status('Enabled').body}` }],
    ['MfaDelete off', configuration('<Status>Enabled</Status><MfaDelete>Disabled</MfaDelete>')],
    ['unknown elements', configuration('<Status>Enabled</Status><Other>1</Other>')],
    ['an unsigned body', { ...status('Enabled'), contentSha256: 'UNSIGNED-PAYLOAD' }],
  ])('PutBucketVersioning accepts an XML body with %s', async (_, given) => {
    expect((await wire.ask(line, given)).status).toBe(200);
    expect(await versioning()).toBe('Enabled');
  });

  refusesStrangers(wire, line, status('Enabled'));

  test('[ver-2] PutBucketVersioning cannot suspend versioning of a bucket with Object Lock', async () => {
    await wire.box({ objectLockEnabled: true });
    expect(await wire.refusal(line, status('Suspended'))).toEqual({
      status: 409,
      Code: 'InvalidBucketState',
    });
    expect((await wire.ask(line, status('Enabled'))).status).toBe(200);
  });

  const malformed = { status: 400, Code: 'MalformedXML' };
  wire.refuses([
    ['a missing body', line, { body: '' }, malformed],
    ['a missing body and length', line, {}, malformed],
    ['a missing status', line, configuration(''), malformed],
    ['an empty status', line, status(''), malformed],
    ['the status Disabled', line, status('Disabled'), malformed],
    ['a status in lower case', line, status('enabled'), malformed],
    ['two statuses', line, configuration('<Status>Enabled</Status>'.repeat(2)), malformed],
    ['an XML document with another root element', line, { body: '<Other/>' }, malformed],
    ['an incomplete XML document', line, { body: '<VersioningConfiguration>' }, malformed],
    ['two XML documents', line, { body: status('Enabled').body.repeat(2) }, malformed],
    ['bytes that are not valid UTF-8', line, { body: Buffer.from([0x3c, 0xff]) }, malformed],
    [
      'an XML document with a DTD',
      line,
      { body: `<!DOCTYPE a [<!ENTITY b "Enabled">]>${status('&b;').body}` },
      malformed,
    ],
    [
      'MfaDelete on',
      line,
      configuration('<Status>Enabled</Status><MfaDelete>Enabled</MfaDelete>'),
      { status: 501, Code: 'NotImplemented' },
    ],
    [
      'a body of more than 1 MiB',
      line,
      configuration(' '.repeat(1024 * 1024)),
      { status: 400, Code: 'MaxMessageLengthExceeded' },
    ],
    [
      'a wrong SHA-256 of the body',
      line,
      { ...status('Enabled'), contentSha256: createHash('sha256').digest('hex') },
      {
        status: 400,
        Code: 'XAmzContentSHA256Mismatch',
        ClientComputedContentSHA256: createHash('sha256').digest('hex'),
        S3ComputedContentSHA256: createHash('sha256').update(status('Enabled').body).digest('hex'),
      },
    ],
    [
      'an unsupported method',
      'POST /{box}?versioning',
      status('Enabled'),
      { status: 405, Code: 'MethodNotAllowed', Method: 'POST', ResourceType: 'VERSIONING' },
    ],
  ]);
});
