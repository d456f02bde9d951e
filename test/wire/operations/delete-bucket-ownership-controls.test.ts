/**
 * Tests of DeleteBucketOwnershipControls over HTTP. The service supports no ownership controls, so the request
 * has nothing to delete.
 */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?ownershipControls';

  test('[op-18] DeleteBucketOwnershipControls returns 204, although no bucket can have ownership controls', async () => {
    for (const asked of [line, `${line}=null`, 'DELETE /{box}/?ownershipControls=']) {
      expect(await wire.ask(asked)).toEqual({ status: 204, headers: {}, body: '' });
    }
  });

  refusesStrangers(wire, line);

  wire.refuses([
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
