/** Tests of DeleteBucketWebsite over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?website';

  test('[web-38] [web-1] DeleteBucketWebsite removes the configuration, and succeeds for a bucket without a website', async () => {
    const bucket = wire.get('box');
    await wire.store.putWebsite({ bucket, website: { indexSuffix: 'index.html' } });
    for (const _ of ['one', 'none']) {
      expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
      await expect(wire.store.getWebsite({ bucket })).rejects.toMatchObject({
        code: 'NoSuchWebsiteConfiguration',
      });
    }
  });

  refusesStrangers(wire, line);
});
