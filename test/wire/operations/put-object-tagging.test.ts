/**
 * Tests of PutObjectTagging over HTTP, and of tags in PutObject, CreateMultipartUpload and
 * CopyObject.
 */

import { describe, expect, test } from 'vitest';
import { refusesTagTargets } from '../../helpers/tag-questions.ts';
import { colleague, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type Given, type RefusalRow } from '../../helpers/wire.ts';

const tag = (key: string, value = '') => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;
const set = (...tags: string[]) => ({
  body: `<Tagging xmlns="urn:x"><TagSet>${tags.join('')}</TagSet></Tagging>`,
});
const numbered = (count: number) =>
  set(...Array.from({ length: count }, (_, index) => tag(`k${index}`)));
const KEPT = [{ key: 'kept', value: '1' }];

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}/a?tagging';
  const returned = async (name?: string) =>
    wire.store.getObjectTags({
      bucket: wire.get('box'),
      key: 'a',
      ...(name !== undefined && { versionId: wire.get(name) }),
    });
  const done = {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: '',
  };
  /**
   * Sends the request without the helper that parses an XML response, because an empty body is not
   * XML.
   */
  const ask = async (asked: string, given: Given) => {
    const answer = await wire.send(asked, given);
    expect(answer.header('content-length')).toBe('0');
    const { status, body } = { status: answer.status, body: answer.text() };
    return { status, headers: { 'content-type': answer.header('content-type') }, body };
  };

  test('[tag-12] PutObjectTagging replaces all previous tags, and every user of the project can call it', async () => {
    await wire.put('a', 'x', { tags: KEPT });
    const given = { ...set(tag('b', 'ü'), tag('a')), as: colleague };
    expect(await ask(line, given)).toEqual(done);
    expect((await returned()).tags).toEqual([
      { key: 'a', value: '' },
      { key: 'b', value: 'ü' },
    ]);
  });

  test('PutObjectTagging with an empty tag set removes all tags', async () => {
    await wire.put('a', 'x', { tags: KEPT });
    expect(await ask(line, set())).toEqual(done);
    expect((await returned()).tags).toEqual([]);
  });

  test('[tag-11] PutObjectTagging with a version id returns the id and changes only that version', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    await wire.put('a', 'x', { name: 'v2', tags: KEPT });
    const answer = await wire.send(`${line}&versionId={v1}`, set(tag('old')));
    expect(answer.header(wire.spelt('x-*-version-id'))).toBe(wire.get('v1'));
    expect([(await returned('v1')).tags, (await returned('v2')).tags]).toEqual([
      [{ key: 'old', value: '' }],
      KEPT,
    ]);
  });

  test('[tag-13] PutObjectTagging of a version under Object Lock keeps its locks and its modification time', async () => {
    await wire.box({ objectLockEnabled: true });
    const retention = { mode: 'COMPLIANCE', retainUntil: Date.UTC(2040, 0, 1) } as const;
    await wire.put('a', 'x', { lock: { retention, legalHold: true } });
    const before = (await wire.store.headObject({ bucket: wire.get('box'), key: 'a' })).info;
    wire.bench.clock.advance(5_000);
    expect((await wire.send(line, set(tag('a')))).status).toBe(200);
    const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
    expect(info).toEqual({ ...before, tagCount: 1 });
  });

  refusesTagTargets(wire, line, set(tag('a')));

  const malformed = { status: 400, Code: 'MalformedXML' };
  const invalid = (details: object = {}) => ({ status: 400, Code: 'InvalidTag', ...details });
  const raw = (body: string) => ({ body });
  const rows: readonly (readonly [string, Given, RefusalRow[3]])[] = [
    ['a missing body', raw(''), malformed],
    ['a body that is not XML', raw('tags'), malformed],
    ['an incomplete XML document', raw('<Tagging><TagSet>'), malformed],
    ['an XML document with another root element', raw('<Tags><TagSet/></Tags>'), malformed],
    ['a missing TagSet, which would remove all tags', raw('<Tagging/>'), malformed],
    ['two TagSet elements', raw('<Tagging><TagSet/><TagSet/></Tagging>'), malformed],
    ['a tag without a key', set('<Tag><Value>v</Value></Tag>'), malformed],
    ['a tag without a value', set('<Tag><Key>k</Key></Tag>'), malformed],
    ['a tag with two keys', set('<Tag><Key>k</Key><Key>l</Key><Value/></Tag>'), malformed],
    ['a tag with two values', set('<Tag><Key>k</Key><Value/><Value/></Tag>'), malformed],
    ['an element in a tag key', set('<Tag><Key><b/></Key><Value/></Tag>'), malformed],
    ['text between tags', set('text', tag('a')), malformed],
    [
      'an XML entity declaration',
      raw('<!DOCTYPE a [<!ENTITY a "x">]><Tagging><TagSet/></Tagging>'),
      malformed,
    ],
    ['11 tags', numbered(11), invalid({ MaxTagsAllowed: '10' })],
    ['an empty key', set(tag('')), invalid({ TagKey: '' })],
    [
      'a tag key of 129 characters',
      set(tag('k'.repeat(129))),
      invalid({ TagKey: 'k'.repeat(128) }),
    ],
    ['a tag value of 257 characters', set(tag('k', 'v'.repeat(257))), invalid({ TagKey: 'k' })],
    ['a duplicate tag key', set(tag('k'), tag('k', 'w')), invalid({ TagKey: 'k' })],
    ['a reserved tag key', set(tag('aws:k')), invalid({ TagKey: 'aws:k' })],
    ['an invalid character in a tag value', set(tag('k', 'a&amp;b')), invalid({ TagKey: 'k' })],
  ];
  wire.refuses(
    rows.map(([claim, given, refusal]): RefusalRow => [claim, line, given, refusal]),
    () => wire.put('a', 'x', { tags: KEPT }),
  );

  test('PutObjectTagging with a wrong Content-MD5 is rejected', async () => {
    await wire.put('a', 'x', { tags: KEPT });
    const headers = { 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' };
    const refusal = await wire.refusal(line, { ...set(tag('k')), headers });
    expect(refusal).toMatchObject({ status: 400, Code: 'BadDigest' });
  });

  test('PutObjectTagging with a body of more than a megabyte is rejected', async () => {
    await wire.put('a', 'x');
    const refusal = await wire.refusal(line, set(tag('k', 'v'.repeat(1024 * 1024))));
    expect(refusal).toMatchObject({ status: 400, Code: 'MaxMessageLengthExceeded' });
  });

  test('PutObjectTagging accepts 10 tags', async () => {
    await wire.put('a', 'x');
    expect(await ask(line, numbered(10))).toEqual(done);
    expect((await returned()).tags).toHaveLength(10);
  });

  describe('tags that PutObject and CreateMultipartUpload set', () => {
    const put = (tagging: string, more: Readonly<Record<string, string>> = {}) => ({
      body: 'x',
      headers: { 'x-*-tagging': tagging, ...more },
    });

    test.each([
      ['a=1', [['a', '1']]],
      [
        'a=1&b=2',
        [
          ['a', '1'],
          ['b', '2'],
        ],
      ],
      ['a+b=c%20d', [['a b', 'c d']]],
      ['a%2Bb=%C3%BC', [['a+b', 'ü']]],
      ['a=b=c', [['a', 'b=c']]],
      ['a=', [['a', '']]],
      ['a', [['a', '']]],
      [Buffer.from('grün=blau').toString('latin1'), [['grün', 'blau']]],
    ])('[tag-14] PutObject with the tagging header %j sets the tags', async (header, expected) => {
      expect((await wire.send('PUT /{box}/a', put(header))).status).toBe(200);
      const pairs = (await returned()).tags.map(({ key, value }) => [key, value]);
      expect(pairs).toEqual(expected);
    });

    const wrong = (value: string) => ({
      status: 400,
      Code: 'InvalidArgument',
      ArgumentName: 'tagging',
      ArgumentValue: value,
    });
    const tagging = (value: string) => ({ 'x-*-tagging': value });
    const refusals: [string, string, Record<string, string>, RefusalRow[3]][] = [
      ['an invalid percent-encoding', 'PUT /{box}/a', tagging('a=%zz'), wrong('a=%zz')],
      ['bytes that are not valid UTF-8', 'PUT /{box}/a', tagging('a=%ff'), wrong('a=%ff')],
      ['a duplicate tag key', 'PUT /{box}/a', tagging('a=1&a=2'), invalid({ TagKey: 'a' })],
      ['an empty pair', 'PUT /{box}/a', tagging('a=1&'), invalid({ TagKey: '' })],
      [
        '11 tags',
        'PUT /{box}/a',
        tagging(Array.from({ length: 11 }, (_, index) => `k${index}=`).join('&')),
        invalid({ MaxTagsAllowed: '10' }),
      ],
      [
        'a duplicate tag key for a multipart upload',
        'POST /{box}/a?uploads',
        tagging('a&a'),
        invalid({ TagKey: 'a' }),
      ],
    ];
    wire.refuses(
      refusals.map(([claim, asked, headers, refusal]): RefusalRow => [
        `${claim} in the tagging header`,
        asked,
        { headers, ...(asked.startsWith('PUT') && { body: 'x' }) },
        refusal,
      ]),
      () => wire.put('a', 'kept', { tags: KEPT }),
    );

    test('[tag-15] PutObject without tags removes the tags of the object that it replaces', async () => {
      await wire.put('a', 'x', { tags: KEPT });
      await wire.send('PUT /{box}/a', { body: 'y' });
      expect((await returned()).tags).toEqual([]);
    });

    test('[tag-16] a multipart object has the tags that CreateMultipartUpload set', async () => {
      const begun = await wire.send('POST /{box}/a?uploads', {
        headers: { 'x-*-tagging': 'a=1' },
      });
      wire.nameElement('upload', begun, 'UploadId');
      const part = await wire.send('PUT /{box}/a?partNumber=1&uploadId={upload}', { body: 'x' });
      const body =
        '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber>' +
        `<ETag>${part.header('etag')}</ETag></Part></CompleteMultipartUpload>`;
      const completed = await wire.send('POST /{box}/a?uploadId={upload}', { body });
      expect(completed.status).toBe(200);
      expect((await returned()).tags).toEqual([{ key: 'a', value: '1' }]);
    });

    test.each(['GET', 'HEAD'])(
      '[tag-17] %s of an object returns the number of its tags, if it has tags',
      async (method) => {
        const count = async () =>
          (await wire.ask(`${method} /{box}/a`)).headers['x-*-tagging-count'];
        await wire.put('a', 'x');
        expect(await count()).toBeUndefined();
        await wire.send(line, numbered(3));
        expect(await count()).toBe('3');
      },
    );
  });

  describe('[tag-23] bucket policies on tags', () => {
    const allowed = (action: string, condition: object = {}) => ({
      Effect: 'Allow',
      Principal: { AWS: [`arn:aws:iam:::user/${stranger.accessKeyId}`] },
      Action: action,
      Resource: wire.fill('arn:aws:s3:::{box}/*'),
      ...condition,
    });
    const policy = (...statements: object[]) =>
      wire.store.putBucketPolicy({
        bucket: wire.get('box'),
        policy: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
      });
    const as = stranger;
    const tagged = { body: 'x', headers: { 'x-*-tagging': 'a=1' }, as };
    const copied = { headers: { 'x-*-copy-source': '/{box}/source' }, as };
    const status = async (asked: string, given: Given) => (await wire.send(asked, given)).status;

    test('s3:PutObject alone does not permit setting tags, even in the PUT of the object', async () => {
      await wire.put('a', 'x');
      await policy(allowed('s3:PutObject'));
      expect(await status('PUT /{box}/b', { body: 'x', as })).toBe(200);
      expect(await status('PUT /{box}/b', tagged)).toBe(403);
      expect(await status('POST /{box}/b?uploads', { ...tagged, body: '' })).toBe(403);
      expect(await status(line, { ...set(tag('a')), as })).toBe(403);
      await policy(allowed('s3:PutObject'), allowed('s3:PutObjectTagging'));
      expect(await status('PUT /{box}/b', tagged)).toBe(200);
      expect(await status(line, { ...set(tag('a')), as })).toBe(200);
      expect(await status('DELETE /{box}/a?tagging', { as })).toBe(403);
    });

    test('CopyObject of a tagged object requires permission to read the tags and to put tags', async () => {
      await wire.put('source', 'x', { tags: KEPT });
      const [read, write] = [allowed('s3:GetObject'), allowed('s3:PutObject')];
      await policy(read, write);
      expect(await status('PUT /{box}/b', copied)).toBe(403);
      await policy(read, write, allowed('s3:GetObjectTagging'));
      expect(await status('PUT /{box}/b', copied)).toBe(403);
      await policy(read, write, allowed('s3:GetObjectTagging'), allowed('s3:PutObjectTagging'));
      expect(await status('PUT /{box}/b', copied)).toBe(200);
    });

    test('[tag-24] a GET by a caller without permission to read tags does not return the number of tags', async () => {
      await wire.put('a', 'x', { tags: KEPT });
      const count = async () =>
        (await wire.send('HEAD /{box}/a', { as })).header(wire.spelt('x-*-tagging-count'));
      await policy(allowed('s3:GetObject'));
      expect(await count()).toBeUndefined();
      await policy(allowed('s3:GetObject'), allowed('s3:GetObjectTagging'));
      expect(await count()).toBe('1');
    });

    test('policy conditions can depend on the tags in the request and on the existing tags of the object', async () => {
      const only = (key: string) => ({
        Condition: { StringEquals: { [`s3:${key}/team`]: 'blue' } },
      });
      await wire.put('a', 'x', { tags: [{ key: 'team', value: 'red' }] });
      await policy(
        allowed('s3:PutObjectTagging', only('RequestObjectTag')),
        allowed('s3:GetObjectTagging', only('ExistingObjectTag')),
      );
      expect(await status('GET /{box}/a?tagging', { as })).toBe(403);
      expect(await status(line, { ...set(tag('team', 'green')), as })).toBe(403);
      expect(await status(line, { ...set(tag('team', 'blue')), as })).toBe(200);
      expect(await status('GET /{box}/a?tagging', { as })).toBe(200);
    });
  });

  describe('tags that CopyObject copies or replaces', () => {
    const copy = (headers: Readonly<Record<string, string>>) => ({
      headers: { 'x-*-copy-source': '/{box}/source', ...headers },
    });
    const replaced = { 'x-*-tagging-directive': 'REPLACE' };

    test.each([
      ['no directive', {}, KEPT],
      ['COPY', { 'x-*-tagging-directive': 'COPY' }, KEPT],
      ['REPLACE of metadata only', { 'x-*-metadata-directive': 'REPLACE' }, KEPT],
      ['REPLACE with tags', { ...replaced, 'x-*-tagging': 'b=2' }, [{ key: 'b', value: '2' }]],
      ['REPLACE without tags', replaced, []],
    ])(
      '[tag-18] CopyObject keeps the tags of its source unless the tagging directive is REPLACE: %s',
      async (_, headers, expected) => {
        await wire.put('source', 'x', { tags: KEPT, attributes: { contentType: 'text/plain' } });
        expect((await wire.send('PUT /{box}/a', copy(headers))).status).toBe(200);
        expect((await returned()).tags).toEqual(expected);
      },
    );

    wire.refuses(
      [
        [
          'an unknown tagging directive',
          'PUT /{box}/a',
          copy({ 'x-*-tagging-directive': 'MERGE' }),
          {
            status: 400,
            Code: 'InvalidArgument',
            ArgumentName: 'tagging-directive',
            ArgumentValue: 'MERGE',
          },
        ],
        [
          'a tagging header for a copy with the tagging directive COPY',
          'PUT /{box}/a',
          copy({ 'x-*-tagging': 'b=2' }),
          { status: 400, Code: 'InvalidArgument', ArgumentName: 'tagging', ArgumentValue: '' },
        ],
        [
          'a duplicate tag key for a copy',
          'PUT /{box}/a',
          copy({ ...replaced, 'x-*-tagging': 'b&b' }),
          { ...invalid(), TagKey: 'b' },
        ],
        [
          'a copy of an object onto itself that changes only its tags',
          'PUT /{box}/source',
          copy({ ...replaced, 'x-*-tagging': 'b' }),
          { status: 400, Code: 'InvalidRequest' },
        ],
      ],
      () => wire.put('source', 'x', { tags: KEPT }),
    );
  });
});
