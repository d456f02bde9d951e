/**
 * Tests of DeleteBucketReplication over HTTP. The service does not support replication, so there is never a configuration
 * to delete.
 */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?replication';

  test('[op-19] DeleteBucketReplication returns 204, although no bucket can have a replication configuration', async () => {
    for (const asked of [line, `${line}=null`, 'DELETE /{box}/?replication=']) {
      expect(await wire.ask(asked)).toEqual({ status: 204, headers: {}, body: '' });
    }
  });

  refusesStrangers(wire, line);

  wire.refuses([
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
