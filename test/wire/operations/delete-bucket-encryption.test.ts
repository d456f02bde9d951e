/**
 * Tests of DeleteBucketEncryption over HTTP. The service supports no encryption configuration, so the request has
 * nothing to delete.
 */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'DELETE /{box}?encryption';

  test('[op-17] DeleteBucketEncryption returns 204, although no bucket can have an encryption configuration', async () => {
    for (const asked of [line, `${line}=null`, 'DELETE /{box}/?encryption=']) {
      expect(await wire.ask(asked)).toEqual({ status: 204, headers: {}, body: '' });
    }
  });

  refusesStrangers(wire, line);

  wire.refuses([
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
