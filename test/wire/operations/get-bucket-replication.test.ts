/**
 * Tests of GetBucketReplication over HTTP. The service supports no replication. Tools rely on the error code, which
 * means "not configured".
 */

import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?replication';

  refusesStrangers(wire, line);

  wire.refuses([
    [
      '[acl-13] [op-16] a bucket without a replication configuration',
      line,
      {},
      { status: 404, Code: 'ReplicationConfigurationNotFoundError' },
    ],
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
