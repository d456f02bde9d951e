/**
 * Tests of GetBucketReplication over HTTP. No bucket has this configuration, and tools read the error code as "unset".
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
