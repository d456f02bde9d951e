/** Tests of DeleteBucketCors over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?cors';

  test('[cors-25] [cors-13] DeleteBucketCors removes the rules, and succeeds for a bucket without rules', async () => {
    const bucket = wire.get('box');
    const rules = [{ allowedOrigins: ['*'], allowedMethods: ['GET'] }] as const;
    await wire.store.putCors({ bucket, rules });
    for (const _ of ['rules', 'none']) {
      expect(await wire.ask(line)).toMatchObject({ status: 204, body: '' });
      await expect(wire.store.getCors({ bucket })).rejects.toMatchObject({
        code: 'NoSuchCORSConfiguration',
      });
    }
  });

  refusesStrangers(wire, line);
});
