/**
 * Tests of GetBucketEncryption over HTTP. The service supports no encryption configuration. Tools rely on the error
 * code, which means "not configured".
 */

import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?encryption';

  refusesStrangers(wire, line);

  wire.refuses([
    [
      '[acl-13] [op-14] a bucket without an encryption configuration',
      line,
      {},
      { status: 404, Code: 'ServerSideEncryptionConfigurationNotFoundError' },
    ],
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
