/** Tests of PutBucketTagging over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type RefusalRow } from '../../helpers/wire.ts';

const tag = (key: string, value = '') => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;
const set = (...tags: string[]) => ({
  body: `<Tagging xmlns="urn:x"><TagSet>${tags.join('')}</TagSet></Tagging>`,
});
const numbered = (count: number) =>
  set(...Array.from({ length: count }, (_, index) => tag(`k${index}`)));

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?tagging';
  const returned = () => wire.store.getBucketTags({ bucket: wire.get('box') });

  test('[tag-20] PutBucketTagging replaces all previous tags', async () => {
    const done = { status: 200, headers: { 'content-length': '0' }, body: '' };
    expect(await wire.ask(line, set(tag('a', '1'), tag('b')))).toEqual(done);
    expect(await wire.ask(line, set(tag('c', 'ü')))).toEqual(done);
    expect(await returned()).toEqual([{ key: 'c', value: 'ü' }]);
  });

  test('[tag-2] PutBucketTagging accepts 50 tags', async () => {
    expect((await wire.send(line, numbered(50))).status).toBe(200);
    expect(await returned()).toHaveLength(50);
  });

  test('PutBucketTagging with an empty tag set removes all tags', async () => {
    await wire.send(line, set(tag('a')));
    expect((await wire.send(line, set())).status).toBe(200);
    await expect(returned()).rejects.toMatchObject({ code: 'NoSuchTagSet' });
  });

  refusesStrangers(wire, line, set(tag('a')));

  const malformed = { status: 400, Code: 'MalformedXML' };
  const invalid = (details: object = {}) => ({ status: 400, Code: 'InvalidTag', ...details });
  const rows = [
    ['a missing body', { body: '' }, malformed],
    ['an XML document with another root element', { body: '<TagSet/>' }, malformed],
    ['a missing TagSet, which would remove all tags', { body: '<Tagging/>' }, malformed],
    ['two TagSet elements', { body: '<Tagging><TagSet/><TagSet/></Tagging>' }, malformed],
    ['a tag without a value', set('<Tag><Key>k</Key></Tag>'), malformed],
    [
      'an XML document type declaration',
      { body: '<!DOCTYPE a><Tagging><TagSet/></Tagging>' },
      malformed,
    ],
    ['51 tags', numbered(51), invalid({ MaxTagsAllowed: '50' })],
    ['a duplicate tag key', set(tag('k'), tag('k')), invalid({ TagKey: 'k' })],
    ['a reserved tag key', set(tag('aws:k')), invalid({ TagKey: 'aws:k' })],
  ] as const;
  wire.refuses(
    rows.map(([claim, given, refusal]): RefusalRow => [claim, line, given, refusal]),
    () => wire.store.putBucketTags({ bucket: wire.get('box'), tags: [{ key: 'kept', value: '' }] }),
  );

  test('PutBucketTagging rejects a parameter of another operation', async () => {
    expect(await wire.refusal(`${line}&versionId=null`, set(tag('a')))).toMatchObject({
      status: 400,
      Code: 'InvalidArgument',
    });
  });
});
