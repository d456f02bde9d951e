/** Tests of DeleteBucketPolicy over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?policy';
  const bucket = () => wire.get('box');
  const deny = (name: string) =>
    JSON.stringify({
      Statement: {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [`arn:aws:s3:::${name}`, `arn:aws:s3:::${name}/*`],
      },
    });

  test('[policy-7] the bucket owner can read, put and delete a policy that denies all actions to everyone', async () => {
    const policy = deny(bucket());
    await wire.store.putBucketPolicy({ bucket: bucket(), policy });
    expect((await wire.send('GET /{box}?list-type=2')).status).toBe(403);
    expect((await wire.send(line, { as: colleague })).status).toBe(403);
    expect((await wire.send('GET /{box}?policy')).text()).toBe(policy);
    expect((await wire.send('PUT /{box}?policy', { body: policy })).status).toBe(204);
    expect(await wire.ask(line)).toEqual({ status: 204, headers: {}, body: '' });
    expect((await wire.send('GET /{box}?list-type=2')).status).toBe(200);
  });

  test('[policy-1] DeleteBucketPolicy of a bucket without a policy returns 204', async () => {
    expect((await wire.send(line)).status).toBe(204);
  });

  refusesStrangers(wire, line);
});
