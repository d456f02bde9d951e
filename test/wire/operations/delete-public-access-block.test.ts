/** Tests of DeletePublicAccessBlock over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?publicAccessBlock';

  test('[acl-27] [acl-11] DeletePublicAccessBlock removes the configuration, and succeeds for a bucket without it', async () => {
    const bucket = wire.get('box');
    const block = {
      blockPublicAcls: true,
      ignorePublicAcls: true,
      blockPublicPolicy: true,
      restrictPublicBuckets: true,
    };
    await wire.store.putPublicAccessBlock({ bucket, block });
    for (let times = 0; times < 2; times++) {
      expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
    }
    expect((await wire.send('GET /{box}?publicAccessBlock')).status).toBe(404);
    expect(
      (await wire.send('PUT /{box}?acl', { headers: { 'x-*-acl': 'public-read' } })).status,
    ).toBe(200);
  });

  refusesStrangers(wire, line);
});
