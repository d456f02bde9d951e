/** Tests of DeleteBucketTagging over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?tagging';

  test('[tag-22] DeleteBucketTagging removes all tags, and succeeds for a bucket without tags', async () => {
    const bucket = wire.get('box');
    await wire.store.putBucketTags({ bucket, tags: [{ key: 'a', value: '' }] });
    for (const _ of [1, 2]) {
      expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
    }
    await expect(wire.store.getBucketTags({ bucket })).rejects.toMatchObject({
      code: 'NoSuchTagSet',
    });
  });

  refusesStrangers(wire, line);
});
