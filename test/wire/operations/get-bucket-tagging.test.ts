/** Tests of GetBucketTagging over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?tagging';
  const tags = [{ key: 'cost centre', value: '42' }];

  test.each([line, `${line}=null`, 'GET /{box}/?tagging='])(
    '%s returns the tags of the bucket',
    async (asked) => {
      await wire.store.putBucketTags({ bucket: wire.get('box'), tags });
      expect(await wire.ask(asked, { as: colleague })).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body:
          `<Tagging xmlns="${wire.dialect.xmlNamespace}"><TagSet>` +
          '<Tag><Key>cost centre</Key><Value>42</Value></Tag></TagSet></Tagging>',
      });
    },
  );

  test('[tag-25] GetBucketTagging returns the tags sorted by key', async () => {
    const keys = ['b', 'a', 'C'];
    const set = keys.map((key) => ({ key, value: '' }));
    await wire.store.putBucketTags({ bucket: wire.get('box'), tags: set });
    const { body } = await wire.ask(line);
    expect([...body.matchAll(/<Key>([^<]+)</g)].map(([, key]) => key)).toEqual(['C', 'a', 'b']);
  });

  test('[tag-21] GetBucketTagging of a bucket without tags returns NoSuchTagSet', async () => {
    expect(await wire.refusal(line)).toEqual({ status: 404, Code: 'NoSuchTagSet' });
  });

  test('DeleteBucket deletes the tags of the bucket', async () => {
    const bucket = wire.get('box');
    await wire.store.putBucketTags({ bucket, tags });
    await wire.store.deleteBucket({ bucket });
    await wire.store.createBucket({ bucket });
    expect(await wire.refusal(line)).toEqual({ status: 404, Code: 'NoSuchTagSet' });
  });

  refusesStrangers(wire, line);
});
