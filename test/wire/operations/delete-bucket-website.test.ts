/** DeleteBucketWebsite on the wire. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?website';

  test('[web-38] [web-1] the configuration is gone, and were there none, it is well', async () => {
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
