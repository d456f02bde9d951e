/** Tests of PostObject, the upload by an HTML form (test/SPECIFICATION.md, semantics B.11.5). */

import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { customerKey, customerKeyHeaders, customerKeyMd5 } from '../helpers/customer-keys.ts';
import {
  BOUNDARY,
  type Fields,
  FORM_TYPE,
  formBody,
  type FormFile,
  signatureFields,
  signPolicy,
} from '../helpers/form.ts';
import {
  accessKey,
  colleague,
  dialects,
  REGION,
  stranger,
  WireBench,
} from '../helpers/wire-bench.ts';
import { inBothDialects, Wire } from '../helpers/wire.ts';

const HELLO = '5d41402abc4b2a76b9719d911017c592';
const HOUR_MS = 3_600_000;
const bench = new WireBench();

interface GivenForm {
  /**
   * Form fields in addition to the default fields. A value of `undefined` removes a default field.
   */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  readonly file?: FormFile | undefined;
  readonly after?: Fields;
  /** Conditions of the form policy. The default conditions allow exactly the fields of the form. */
  readonly conditions?: readonly unknown[];
  readonly expiration?: unknown;
  /** The whole policy document, which replaces `conditions` and `expiration`. */
  readonly document?: unknown;
  readonly as?: typeof accessKey;
  readonly signedAt?: number;
  /** Form fields to change after signing. A value of `undefined` removes a field. */
  readonly changed?: Readonly<Record<string, string | undefined>>;
}

const given = (fields: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );

/** Returns the bytes of a signed form for the bucket of the test. */
function formOf(wire: Wire, form: GivenForm = {}): Buffer {
  const { as = accessKey, after, changed = {} } = form;
  const now = form.signedAt ?? bench.clock.now();
  const signing = { dialect: wire.dialect, region: REGION, credentials: as, now };
  const spelt = Object.entries(form.fields ?? {}).map(([name, value]) => [wire.spelt(name), value]);
  const fields = given({
    key: 'a',
    ...signatureFields(signing),
    ...(Object.fromEntries(spelt) as Record<string, string>),
  });
  const conditions = form.conditions ?? [
    { bucket: wire.get('box') },
    ...Object.entries(fields).map(([name, value]) => ['eq', `$${name}`, value]),
  ];
  const {
    expiration = new Date(bench.clock.now() + HOUR_MS).toISOString(),
    document = { expiration, conditions },
  } = form;
  const signed = { ...fields, ...signPolicy(document, signing) };
  const speltChanges = Object.entries(changed).map(([name, value]) => [wire.spelt(name), value]);
  const sent = given({
    ...signed,
    ...(Object.fromEntries(speltChanges) as Record<string, string>),
  });
  const file = 'file' in form ? form.file : { content: 'hello' };
  return formBody(sent, file, after);
}

interface Sent {
  readonly url?: string;
  readonly type?: string;
  readonly headers?: Fields;
}

/** Posts a body to the bucket with only the headers that a browser sends. */
async function send(wire: Wire, body: Buffer, { url, type, headers = {} }: Sent = {}, on = bench) {
  const socket = on.connect();
  const lines = Object.entries({
    host: `127.0.0.1:${on.gateway.port}`,
    'content-type': type ?? FORM_TYPE,
    'content-length': String(body.length),
    ...headers,
  }).map(([name, value]) => `${wire.spelt(name)}: ${value}\r\n`);
  socket.write(`POST ${url ?? `/${wire.get('box')}`} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body);
  return socket.answer('POST');
}

const post = (wire: Wire, form: GivenForm = {}, sent: Sent = {}) =>
  send(wire, formOf(wire, form), sent);

/** Posts a form and expects that nothing changed. Returns the status and the error code. */
async function refused(wire: Wire, body: Buffer, sent: Sent = {}): Promise<string> {
  const before = await wire.content();
  const answer = await send(wire, body, sent);
  expect(await wire.content()).toEqual(before);
  return `${answer.status} ${/<Code>(\w+)/.exec(answer.text())?.[1]}`;
}

const VERSION = 's3:signatureversion';

function denial(bucket: string) {
  const Resource = `arn:aws:s3:::${bucket}/*`;
  return { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource };
}

function onlyVersion4(bucket: string): string {
  const Condition = { StringNotEquals: { [VERSION]: 'AWS4-HMAC-SHA256' } };
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ ...denial(bucket), Condition }] });
}

inBothDialects(bench, (wire) => {
  const refusal = (form: GivenForm, sent: Sent = {}) => refused(wire, formOf(wire, form), sent);
  const content = async (key: string) => {
    const { body, info } = await wire.store.getObject({ bucket: wire.get('box'), key });
    let text = '';
    for await (const piece of body) text += Buffer.from(piece).toString();
    return { text, info };
  };

  test('[form-1] a signed form stores its file and returns 204 with the ETag and the location', async () => {
    const answer = await post(wire);
    expect(answer.status).toBe(204);
    expect(answer.header('etag')).toBe(`"${HELLO}"`);
    expect(answer.header('location')).toBe(
      `http://127.0.0.1:${bench.gateway.port}/${wire.get('box')}/a`,
    );
    expect(await content('a')).toMatchObject({ text: 'hello' });
  });

  test('[form-2] form fields set the attributes of the object like PUT headers, and the Content-Type of the file is ignored', async () => {
    await wire.box({ objectLockEnabled: true });
    const fields = {
      'Content-Type': 'text/plain; charset=ütf',
      'Cache-Control': 'no-store',
      'Content-Disposition': 'inline',
      'Content-Encoding': 'br',
      Expires: 'never',
      'x-*-meta-Name': 'Ä "b"',
      'x-*-object-lock-legal-hold': 'ON',
      'x-*-storage-class': 'STANDARD',
    };
    expect((await post(wire, { fields })).status).toBe(204);
    expect((await content('a')).info).toMatchObject({
      contentType: 'text/plain; charset=ütf',
      cacheControl: 'no-store',
      contentDisposition: 'inline',
      contentEncoding: 'br',
      expires: 'never',
      metadata: { name: 'Ä "b"' },
      legalHold: true,
    });
    await post(wire, { fields: { key: 'bare' } });
    expect((await content('bare')).info.contentType).toBeUndefined();
  });

  test('[ssec-1] a form with customer key fields encrypts the object', async () => {
    const answer = await post(wire, { fields: customerKeyHeaders('ours') });
    expect(answer.status).toBe(204);
    const echo = answer.header(wire.spelt('x-*-server-side-encryption-customer-key-md5'));
    expect(echo).toBe(customerKeyMd5('ours'));
    await expect(content('a')).rejects.toMatchObject({ code: 'InvalidRequest' });
    const asked = { bucket: wire.get('box'), key: 'a', customerKey: customerKey('ours') };
    expect((await wire.store.headObject(asked)).info).toMatchObject({ etag: HELLO });
  });

  test.each([
    ['up/${filename}', 'photo.jpg', 'up/photo.jpg'],
    ['${filename}', 'C:\\fakepath\\Über uns.txt', 'Über uns.txt'],
    ['up/${filename}', '../../etc/passwd', 'up/passwd'],
    ['${filename}/${filename}', '$&', '$&/$&'],
    ['${filename}', 'a%22b.txt', 'a"b.txt'],
  ])(
    '[form-3] a form with the key %s and the file name %s stores the key %s',
    async (key, name, stored) => {
      const conditions = [
        { bucket: wire.get('box') },
        ['starts-with', '$key', stored.slice(0, 2)],
        ...['algorithm', 'credential', 'date'].map((each) => [
          'starts-with',
          wire.spelt(`$x-*-${each}`).replace('$x-*-', `$${wire.dialect.headerPrefix}`),
          '',
        ]),
      ];
      const file = { name, content: 'hello' };
      expect((await post(wire, { fields: { key }, file, conditions })).status).toBe(204);
      const { objects } = await wire.store.listObjects({ bucket: wire.get('box') });
      expect(objects.map((object) => object.key)).toEqual([stored]);
    },
  );

  test('[form-4] the service ignores form fields after the file', async () => {
    const after = { key: 'b', 'x-amz-meta-late': 'x', file: 'another' };
    expect((await post(wire, { after })).status).toBe(204);
    expect((await content('a')).info.metadata).toBeUndefined();
  });

  test.each([
    ['200', 200],
    ['201', 201],
    ['204', 204],
    ['302', 204],
    ['x', 204],
  ])('[form-5] a form with success_action_status %s returns %i', async (wanted, status) => {
    const answer = await post(wire, { fields: { success_action_status: wanted, key: 'a &/b' } });
    expect(answer.status).toBe(status);
    const location = `http://127.0.0.1:${bench.gateway.port}/${wire.get('box')}/a%20%26/b`;
    expect(answer.header('location')).toBe(location);
    expect(answer.text()).toBe(
      status === 201
        ? `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse><Location>${location}</Location>` +
            `<Bucket>${wire.get('box')}</Bucket><Key>a &amp;/b</Key><ETag>&quot;${HELLO}&quot;</ETag></PostResponse>`
        : '',
    );
  });

  test.each([
    ['https://example.org/done', 'https://example.org/done?'],
    ['http://example.org/done?x=1#end', 'http://example.org/done?x=1&'],
  ])(
    '[form-6] a form redirect to %s has the bucket, key and ETag in its query',
    async (redirect, begin) => {
      const fields = {
        success_action_redirect: redirect,
        key: 'a&b',
        success_action_status: '201',
      };
      const answer = await post(wire, { fields });
      expect(answer.status).toBe(303);
      const returned = `bucket=${wire.get('box')}&key=a%26b&etag=%22${HELLO}%22`;
      expect(answer.header('location')).toBe(
        begin + returned + (redirect.split('#')[1] ? '#end' : ''),
      );
      expect((await post(wire, { fields: { redirect } })).status).toBe(303);
    },
  );

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.org',
    'example.org',
    'https://example.org/\r\nSet-Cookie: a=b',
    'https://exa\tmple.org/',
  ])('[form-7] a form with the unsafe redirect URL %j is rejected', async (redirect) => {
    expect(await refusal({ fields: { success_action_redirect: redirect } })).toBe(
      '400 InvalidArgument',
    );
  });

  test('[form-8] a form is stored only if the size of its file is within the range of the form policy', async () => {
    const names = signatureFields({
      dialect: wire.dialect,
      region: REGION,
      credentials: accessKey,
      now: bench.clock.now(),
    });
    const conditions = (min: number, max: number) => [
      { bucket: wire.get('box') },
      { key: 'a' },
      names,
      ['content-length-range', min, max],
    ];
    for (const [min, max] of [
      [5, 5],
      [0, 5],
      [5, 1e6],
    ] as const) {
      expect((await post(wire, { conditions: conditions(min, max) })).status).toBe(204);
    }
    await wire.box();
    expect(await refusal({ conditions: conditions(0, 4) })).toBe('400 EntityTooLarge');
    expect(await refusal({ conditions: conditions(6, 10) })).toBe('400 EntityTooSmall');
    const large = { content: Buffer.alloc(300_000, 'x') };
    expect(await refusal({ conditions: conditions(0, 200_000), file: large })).toBe(
      '400 EntityTooLarge',
    );
    expect(
      await refusal({ conditions: [...conditions(0, 10), ['content-length-range', 7, 10]] }),
    ).toBe('400 EntityTooSmall');
  });

  test('[form-9] the names of policy conditions and form fields may have any case', async () => {
    const upper = (text: string) => text.toUpperCase();
    const names = signatureFields({
      dialect: wire.dialect,
      region: REGION,
      credentials: accessKey,
      now: bench.clock.now(),
    });
    const conditions = [
      { bUcKeT: wire.get('box') },
      ['StArTs-WiTh', '$KeY', 'a'],
      ...Object.entries(names).map(([name, value]) => ['EQ', `$${upper(name)}`, value]),
      ['starts-with', '$ACL', ''],
    ];
    expect((await post(wire, { fields: { aCl: 'private' }, conditions })).status).toBe(204);
  });

  test('[form-10] the service verifies the checksum in a form field', async () => {
    const crc = (value: string) => ({ 'x-*-checksum-crc32': value });
    expect((await post(wire, { fields: crc('NhCmhg==') })).status).toBe(204);
    await wire.box();
    expect(await refusal({ fields: crc('AAAAAA==') })).toBe('400 BadDigest');
    expect(await refusal({ fields: crc('x') })).toBe('400 InvalidRequest');
  });

  describe('[form-11] the form policy must cover every form field', () => {
    test.each<[string, GivenForm, string]>([
      [
        'an ACL field that its policy does not mention',
        { changed: { acl: 'private' } },
        '403 AccessDenied',
      ],
      ['an added content type', { changed: { 'Content-Type': 'text/html' } }, '403 AccessDenied'],
      ['added user metadata', { changed: { 'x-*-meta-a': 'b' } }, '403 AccessDenied'],
      ['another key', { changed: { key: 'b' } }, '403 AccessDenied'],
      [
        'a removed field that its policy requires',
        { fields: { acl: 'private' }, changed: { acl: undefined } },
        '403 AccessDenied',
      ],
      ['an added redirect', { changed: { redirect: 'https://evil.example' } }, '403 AccessDenied'],
      ['an added unknown field', { changed: { submit: 'Upload' } }, '403 AccessDenied'],
      [
        'another policy',
        { changed: { policy: Buffer.from('{}').toString('base64') } },
        '403 SignatureDoesNotMatch',
      ],
      [
        'another signature',
        { changed: { 'x-*-signature': '0'.repeat(64) } },
        '403 SignatureDoesNotMatch',
      ],
    ])('a form with %s is rejected', async (_, form, code) => {
      expect(await refusal(form)).toBe(code);
    });

    test('a form field that begins with x-ignore- needs no policy condition', async () => {
      expect((await post(wire, { changed: { 'x-ignore-me': 'x' } })).status).toBe(204);
    });
  });

  describe('[form-12] a form cannot change the bucket of the request URL (CVE-2023-43040, CVE-2023-28434)', () => {
    test('a form whose policy names another bucket is rejected', async () => {
      const form = formOf(wire);
      const other = await bench.bucket();
      expect(await refused(wire, form, { url: `/${other}` })).toBe('403 AccessDenied');
      const { objects } = await wire.store.listObjects({ bucket: other });
      expect(objects).toEqual([]);
    });

    test('a form field with the bucket name does not replace the bucket of the URL', async () => {
      const other = await bench.bucket();
      const form = formOf(wire, { changed: { bucket: wire.get('box') } });
      expect(await refused(wire, form, { url: `/${other}` })).toBe('403 AccessDenied');
      expect((await send(wire, form)).status).toBe(204);
    });

    test('a form whose policy has no bucket condition is rejected', async () => {
      const conditions = [{ key: 'a' }, ['starts-with', `$${wire.dialect.headerPrefix}date`, '']];
      expect(await refusal({ conditions })).toBe('403 AccessDenied');
    });
  });

  test.each<[string, GivenForm, string]>([
    ['an expiration in the past', { expiration: '2020-01-01T00:00:00Z' }, '403 AccessDenied'],
    ['no expiration', { document: { conditions: [{ bucket: 'b' }] } }, '400 InvalidPolicyDocument'],
    ['an invalid expiration', { expiration: 'soon' }, '400 InvalidPolicyDocument'],
    [
      'no conditions',
      { document: { expiration: '2030-01-01T00:00:00Z' } },
      '400 InvalidPolicyDocument',
    ],
    ['an empty list of conditions', { conditions: [] }, '400 InvalidPolicyDocument'],
    ['an empty condition', { conditions: [{}] }, '400 InvalidPolicyDocument'],
    [
      'an unknown operator',
      { conditions: [['ends-with', '$key', 'a']] },
      '400 InvalidPolicyDocument',
    ],
    ['a field name without $', { conditions: [['eq', 'key', 'a']] }, '400 InvalidPolicyDocument'],
    ['an operator with one value', { conditions: [['eq', '$key']] }, '400 InvalidPolicyDocument'],
    ['a nested value', { conditions: [{ key: ['a'] }] }, '400 InvalidPolicyDocument'],
    [
      'a content-length-range of one number',
      { conditions: [['content-length-range', 5]] },
      '400 InvalidPolicyDocument',
    ],
    [
      'a negative content-length-range',
      { conditions: [['content-length-range', -1, 0]] },
      '400 InvalidPolicyDocument',
    ],
    [
      'a content-length-range whose minimum exceeds its maximum',
      { conditions: [['content-length-range', 2, 1]] },
      '400 InvalidPolicyDocument',
    ],
    [
      'field names in capitals',
      { document: { EXPIRATION: '2030-01-01T00:00:00Z', CONDITIONS: [] } },
      '400 InvalidPolicyDocument',
    ],
    ['a JSON array instead of an object', { document: [] }, '400 InvalidPolicyDocument'],
    ['text that is not JSON', { document: '{' }, '400 InvalidPolicyDocument'],
    ['deeply nested JSON', { document: '['.repeat(9000) }, '400 InvalidPolicyDocument'],
  ])('[form-13] a form policy with %s is rejected', async (_, form, code) => {
    expect(await refusal(form)).toBe(code);
  });

  test.each<[string, GivenForm, string]>([
    [
      'an unknown access key id',
      { as: { ...accessKey, accessKeyId: 'p1:nobody@c1' } },
      '403 InvalidAccessKeyId',
    ],
    [
      'a wrong secret key',
      { as: { ...accessKey, secretAccessKey: 'wrong' } },
      '403 SignatureDoesNotMatch',
    ],
    ['the key of another project', { as: stranger }, '403 AccessDenied'],
    ['a date in the future', { signedAt: Date.now() + 1e12 }, '403 AccessDenied'],
    ['no signature', { changed: { 'x-*-signature': undefined } }, '400 InvalidArgument'],
    ['no policy', { changed: { policy: undefined } }, '400 InvalidArgument'],
    ['no date', { changed: { 'x-*-date': undefined } }, '400 InvalidArgument'],
    ['no credential', { changed: { 'x-*-credential': undefined } }, '400 InvalidArgument'],
    ['an unknown algorithm', { changed: { 'x-*-algorithm': 'NONE' } }, '400 InvalidArgument'],
    [
      'a credential without a scope',
      { changed: { 'x-*-credential': 'p1:ada@c1' } },
      '400 InvalidArgument',
    ],
    ['a session token', { changed: { 'x-*-security-token': 'x' } }, '400 InvalidToken'],
    ['a second signature', { changed: { signature: 'x' } }, '400 InvalidArgument'],
  ])('[form-14] a form with %s is rejected', async (_, form, code) => {
    expect(await refusal(form)).toBe(code);
  });

  test('[form-14] a form is rejected seven days after it was signed, and if it was signed for another region', async () => {
    const old = bench.clock.now() - 7 * 24 * HOUR_MS - 1000;
    expect(await refusal({ signedAt: old })).toBe('403 AccessDenied');
    expect((await post(wire, { signedAt: old + 2000 })).status).toBe(204);
    await wire.box();
    const elsewhere = formOf(wire, {}).toString('latin1').replaceAll(REGION, 'us-west-2');
    expect(await refused(wire, Buffer.from(elsewhere, 'latin1'))).toBe(
      '400 AuthorizationHeaderMalformed',
    );
  });

  test('[form-15] a public-write bucket accepts an unsigned form', async () => {
    const form = formBody({ key: 'a', 'Content-Type': 'text/plain' }, { content: 'hello' });
    await wire.ask('PUT /{box}?acl', { headers: { 'x-*-acl': 'public-read-write' } });
    expect((await send(wire, form)).status).toBe(204);
    expect(await content('a')).toMatchObject({
      text: 'hello',
      info: { contentType: 'text/plain' },
    });
  });

  test('[form-24] the form field `tagging` sets the tags by an XML document', async () => {
    const tagging = (tags: string) => `<Tagging><TagSet>${tags}</TagSet></Tagging>`;
    const tag = '<Tag><Key>a b</Key><Value>c=d+e</Value></Tag>';
    expect((await post(wire, { fields: { tagging: tagging(tag) } })).status).toBe(204);
    const { tags } = await wire.store.getObjectTags({ bucket: wire.get('box'), key: 'a' });
    expect(tags).toEqual([{ key: 'a b', value: 'c=d+e' }]);
    await wire.box();
    expect(await refusal({ fields: { tagging: 'a=b' } })).toBe('400 MalformedXML');
    expect(await refusal({ fields: { tagging: tagging(tag + tag) } })).toBe('400 InvalidTag');
    expect(await refusal({ changed: { tagging: tagging(tag) } })).toBe('403 AccessDenied');
  });

  test('[form-25] a Deny statement in the bucket policy also applies to form uploads (POST Object)', async () => {
    const bucket = wire.get('box');
    const statement = {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:PutObject',
      Resource: `arn:aws:s3:::${bucket}/secret/*`,
    };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await wire.store.putBucketPolicy({ bucket, policy });
    expect(await refusal({ fields: { key: 'secret/a' } })).toBe('403 AccessDenied');
    expect((await post(wire)).status).toBe(204);
  });

  test('[form-28] a condition of the bucket policy can require signature version 4 for forms', async () => {
    const bucket = wire.get('box');
    await wire.store.putBucketPolicy({ bucket, policy: onlyVersion4(bucket) });
    expect((await post(wire)).status).toBe(204);
  });

  test('[form-15] a private bucket rejects an unsigned form', async () => {
    expect(await refused(wire, formBody({ key: 'a' }, { content: 'hello' }))).toBe(
      '403 AccessDenied',
    );
  });

  test.each<[string, GivenForm, string]>([
    ['no key', { fields: { key: undefined } }, '400 InvalidArgument'],
    ['an empty key', { fields: { key: '' } }, '400 InvalidArgument'],
    [
      'an empty key because of an empty file name',
      { fields: { key: '${filename}' }, file: { name: '', content: 'x' } },
      '400 InvalidArgument',
    ],
    ['a key that is too long', { fields: { key: 'k'.repeat(1025) } }, '400 KeyTooLongError'],
    ['a NUL character in its key', { fields: { key: 'a\0' } }, '400 InvalidArgument'],
    ['no file', { file: undefined }, '400 MalformedPOSTRequest'],
    [
      'a line break in a header field',
      { fields: { 'Content-Type': 'a\r\nb: c' } },
      '400 InvalidArgument',
    ],
    [
      'a header that describes only a request body',
      { fields: { 'x-*-content-sha256': 'x' } },
      '501 NotImplemented',
    ],
    ['a copy source', { fields: { 'x-*-copy-source': '/box/b' } }, '501 NotImplemented'],
    [
      'an expected bucket owner',
      { fields: { 'x-*-expected-bucket-owner': 'p2:eve@c1' } },
      '501 NotImplemented',
    ],
    ['a Content-MD5', { fields: { 'Content-MD5': 'x' } }, '501 NotImplemented'],
    [
      'a lock in a bucket without Object Lock',
      { fields: { 'x-*-object-lock-legal-hold': 'ON' } },
      '400 InvalidRequest',
    ],
    [
      'a field name with a non-ASCII character',
      { fields: { 'x-*-meta-ä': 'x' } },
      '400 InvalidArgument',
    ],
    [
      'user metadata that is too large',
      { fields: { 'x-*-meta-a': 'x'.repeat(3000) } },
      '400 MetadataTooLarge',
    ],
    [
      'a field of more than 20 KiB',
      { fields: { 'x-*-meta-a': 'x'.repeat(20_481) } },
      '400 MaxMessageLengthExceeded',
    ],
  ])('[form-16] a form with %s is rejected', async (_, form, code) => {
    expect(await refusal(form)).toBe(code);
  });

  test('[form-17] a form with too many or too large fields is rejected', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x-ignore-${n}`, 'x']));
    expect(await refusal({ changed: many })).toBe('400 MalformedPOSTRequest');
    const large = Object.fromEntries(
      Array.from({ length: 4 }, (_, n) => [`x-ignore-${n}`, 'x'.repeat(20_000)]),
    );
    expect(await refusal({ changed: large })).toBe('400 MaxMessageLengthExceeded');
  });

  test('[form-18] a form upload with an ACL or Authorization header, query parameters or an object path is rejected', async () => {
    const form = formOf(wire);
    const url = `/${wire.get('box')}`;
    expect(await refused(wire, form, { headers: { 'x-*-acl': 'public-read' } })).toBe(
      '403 AccessDenied',
    );
    expect(await refused(wire, form, { headers: { authorization: 'AWS4-HMAC-SHA256 x' } })).toBe(
      '400 InvalidArgument',
    );
    expect(await refused(wire, form, { url: `${url}?versionId=null` })).toBe('400 InvalidArgument');
    expect(await refused(wire, form, { url: `${url}?bogus` })).toBe('501 NotImplemented');
    expect(await refused(wire, form, { url: `${url}/a` })).toBe('405 MethodNotAllowed');
  });

  test('[form-19] a form upload creates a new version in a versioned bucket', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'before', { name: 'v1' });
    const answer = await post(wire);
    expect(answer.header(`${wire.dialect.headerPrefix}version-id`)).toMatch(/^\S{32}$/);
    const { versions } = await wire.store.listVersions({ bucket: wire.get('box') });
    expect(versions).toHaveLength(2);
  });

  test('[form-20] another user of the same project can post a form', async () => {
    expect((await post(wire, { as: colleague })).status).toBe(204);
  });

  test('a connection stays open after an accepted and after a rejected form', async () => {
    const socket = bench.connect();
    for (const [form, status] of [
      [formOf(wire), 204],
      [formOf(wire, { as: stranger }), 403],
      [formOf(wire, { fields: { key: 'b' } }), 204],
    ] as const) {
      socket.write(
        `POST /${wire.get('box')} HTTP/1.1\r\nhost: 127.0.0.1:${bench.gateway.port}\r\n` +
          `content-type: ${FORM_TYPE}\r\ncontent-length: ${form.length}\r\n\r\n`,
      );
      socket.write(form);
      expect((await socket.answer('POST')).status).toBe(status);
    }
  });

  test('a form posted to a virtual host is stored, and the location in the response uses that host', async () => {
    const host = `${wire.get('box')}.localhost`;
    const answer = await send(wire, formOf(wire), { url: '/', headers: { host } });
    expect(answer.status).toBe(204);
    expect(answer.header('location')).toBe(`http://${host}/a`);
  });

  test.each([
    ['text/plain', '412 PreconditionFailed'],
    ['multipart/form-data', '400 MalformedPOSTRequest'],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, '400 MalformedPOSTRequest'],
    ['multipart/form-data; boundary=other', '400 MalformedPOSTRequest'],
  ])('[form-21] a form with the Content-Type %s is rejected', async (type, code) => {
    expect(await refused(wire, formOf(wire), { type })).toBe(code);
  });

  const part = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  test.each([
    ['no content', ''],
    ['no boundary', 'hello'],
    ['text before the first boundary', `x\r\n${part('key', 'a')}--${BOUNDARY}--`],
    ['no final boundary', part('key', 'a')],
    ['text after a boundary', part('key', 'a').replace(BOUNDARY, `${BOUNDARY}x`)],
    ['a part without headers', `--${BOUNDARY}\r\n\r\nhello\r\n--${BOUNDARY}--`],
    ['a part without a name', part('key', 'a').replace('; name="key"', '')],
    ['a part with two names', part('key"; name="acl', 'a')],
    ['a part that is not form-data', part('key', 'a').replace('form-data', 'attachment')],
    ['an invalid Content-Disposition', part('key"; x', 'a')],
    [
      'a duplicate header',
      part('key', 'a').replace(
        '\r\n\r\n',
        '\r\nContent-Disposition: form-data; name="acl"\r\n\r\n',
      ),
    ],
    [
      'a Content-Transfer-Encoding',
      part('key', 'a').replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n'),
    ],
    ['a name that is not valid UTF-8', part('key', 'a').replace('key', '\xff')],
    ['a value that is not valid UTF-8', part('key', '\xff') + part('file', 'x')],
    ['a duplicate field', part('key', 'a') + part('KEY', 'b') + part('file', 'x')],
  ])('[form-22] a form body with %s is rejected as malformed', async (_, text) => {
    expect(await refused(wire, Buffer.from(text, 'latin1'))).toBe('400 MalformedPOSTRequest');
  });

  test('[form-22] a form without its final boundary is malformed, but returns AccessDenied without permission to write', async () => {
    const endless = Buffer.from(
      `${part('key', 'a')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello`,
    );
    expect(await refused(wire, endless)).toBe('403 AccessDenied');
    const acl = { canned: 'public-read-write' } as const;
    await wire.store.putBucketAcl({ bucket: wire.get('box'), acl });
    expect(await refused(wire, endless)).toBe('400 MalformedPOSTRequest');
  });
});

describe('forms with signature version 2', () => {
  const old = new WireBench({ signatureV2: 'headers' });
  const wire = new Wire(old, dialects.amz);

  const formOfVersion2 = (fields: Fields = {}) => {
    const document = {
      expiration: new Date(bench.clock.now() + HOUR_MS).toISOString(),
      conditions: [{ bucket: wire.get('box') }, { key: 'a' }],
    };
    const policy = Buffer.from(JSON.stringify(document)).toString('base64');
    const { accessKeyId, secretAccessKey } = accessKey;
    const signature = createHmac('sha1', secretAccessKey).update(policy).digest('base64');
    const signed = { key: 'a', AWSAccessKeyId: accessKeyId, policy, signature, ...fields };
    return formBody(signed, { content: 'hello' });
  };
  const answerOf = async (form: Buffer, on = old) => {
    const answer = await send(wire, form, {}, on);
    return `${answer.status} ${/<Code>(\w+)/.exec(answer.text())?.[1] ?? ''}`;
  };

  test('[form-23] a form with signature version 2 is accepted only if the configuration allows version 2 in headers', async () => {
    await wire.box();
    expect(await answerOf(formOfVersion2())).toBe('204 ');
    expect(await answerOf(formOfVersion2(), bench)).toBe('400 InvalidRequest');
  });

  test('[form-28] a bucket policy can deny forms with signature version 2', async () => {
    await wire.box();
    const bucket = wire.get('box');
    const statement = { ...denial(bucket), Condition: { StringEquals: { [VERSION]: 'AWS' } } };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await wire.store.putBucketPolicy({ bucket, policy });
    expect(await answerOf(formOfVersion2())).toBe('403 AccessDenied');
  });

  test.each([
    [{ signature: 'x' }, '403 SignatureDoesNotMatch'],
    [{ AWSAccessKeyId: 'p1:nobody@c1' }, '403 InvalidAccessKeyId'],
    [{ signature: '' }, '400 InvalidArgument'],
    [{ acl: 'private' }, '403 AccessDenied'],
  ])(
    '[form-23] a form with signature version 2 and the changed fields %o is rejected',
    async (fields, code) => {
      await wire.box();
      expect(await answerOf(formOfVersion2(fields))).toBe(code);
    },
  );
});
