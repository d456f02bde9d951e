/** Tests of GetObjectLockConfiguration over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  test('[lock-18] GetObjectLockConfiguration returns Enabled for a bucket created with Object Lock', async () => {
    await wire.box({ objectLockEnabled: true });
    expect(await wire.ask('GET /{box}?object-lock=', { as: colleague })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body:
        `<ObjectLockConfiguration xmlns="${wire.dialect.xmlNamespace}">` +
        '<ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
    });
  });

  refusesStrangers(wire, 'GET /{box}?object-lock');

  wire.refuses([
    [
      '[lock-19] a bucket without Object Lock',
      'GET /{box}?object-lock',
      {},
      { status: 404, Code: 'ObjectLockConfigurationNotFoundError' },
    ],
    [
      'the Object Lock configuration of an object',
      'GET /{box}/a?object-lock',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'GET', ResourceType: 'OBJECT-LOCK' },
    ],
  ]);
});
