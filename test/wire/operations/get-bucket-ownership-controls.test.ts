/**
 * Tests of GetBucketOwnershipControls over HTTP. The service supports no ownership controls. Tools rely on the
 * error code, which means "not configured".
 */

import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?ownershipControls';

  refusesStrangers(wire, line);

  wire.refuses([
    [
      '[acl-13] [op-15] a bucket without ownership controls',
      line,
      {},
      { status: 404, Code: 'OwnershipControlsNotFoundError' },
    ],
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
