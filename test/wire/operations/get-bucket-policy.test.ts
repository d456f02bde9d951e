/** Tests of GetBucketPolicy over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?policy';

  test('[policy-35] [policy-1] GetBucketPolicy returns exactly the bytes that were put', async () => {
    const policy = wire.fill(
      ' {"Statement" : {"Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::{box}/ü"}}\n',
    );
    await wire.store.putBucketPolicy({ bucket: wire.get('box'), policy });
    const { status, headers, body } = await wire.ask('GET /{box}/?policy=null');
    expect([status, headers['content-type'], body]).toEqual([200, 'application/json', policy]);
  });

  refusesStrangers(wire, line);

  wire.refuses([
    ['a bucket without a policy', line, {}, { status: 404, Code: 'NoSuchBucketPolicy' }],
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
    [
      'an unsupported method',
      'POST /{box}?policy',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'POST', ResourceType: 'POLICY' },
    ],
  ]);
});
