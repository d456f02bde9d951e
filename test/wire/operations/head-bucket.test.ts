/** Tests of HeadBucket over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, REGION, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  test.each(['HEAD /{box}', 'HEAD /{box}/'])(
    '[bucket-9] [quota-6] %s returns the region, usage and quotas of the bucket in its headers',
    async (line) => {
      const usage = (objects: string, bytes: string) => ({
        status: 200,
        headers: {
          'x-*-bucket-region': REGION,
          'x-rgw-object-count': objects,
          'x-rgw-bytes-used': bytes,
          'x-rgw-quota-max-buckets': '1000',
          'x-rgw-quota-bucket-size': '27487790694400',
          'x-rgw-quota-bucket-objects': '50000000',
        },
        body: '',
      });
      expect(await wire.ask(line)).toEqual(usage('0', '0'));
      await wire.versioning('Enabled');
      await wire.put('k', 'one');
      await wire.put('k', 'three');
      await wire.ask('DELETE /{box}/k');
      expect(await wire.ask(line)).toEqual(usage('2', '8'));
    },
  );

  test('another user of the project can send HEAD for a bucket', async () => {
    expect((await wire.send('HEAD /{box}', { as: colleague })).status).toBe(200);
  });

  refusesStrangers(wire, 'HEAD /{box}');

  wire.refuses([
    ['an unsupported subresource', 'HEAD /{box}?accelerate', {}, { status: 501 }],
    ['a subresource that only GET supports', 'HEAD /{box}?versioning', {}, { status: 405 }],
  ]);
});
