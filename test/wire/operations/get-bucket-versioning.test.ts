/** Tests of GetBucketVersioning over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const returned = (inside: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<VersioningConfiguration xmlns="${wire.dialect.xmlNamespace}"${inside}`,
  });
  const status = (word: string) => returned(`><Status>${word}</Status></VersioningConfiguration>`);

  test('[bucket-12] GetBucketVersioning returns an empty configuration until versioning is first set', async () => {
    const line = 'GET /{box}?versioning=';
    expect(await wire.ask(line)).toEqual(returned('/>'));
    await wire.versioning('Enabled');
    expect(await wire.ask(line)).toEqual(status('Enabled'));
    await wire.versioning('Suspended');
    expect(await wire.ask('GET /{box}/?versioning=null')).toEqual(status('Suspended'));
  });

  test('GetBucketVersioning of a bucket with Object Lock returns Enabled', async () => {
    await wire.box({ objectLockEnabled: true });
    expect(await wire.ask('GET /{box}?versioning', { as: colleague })).toEqual(status('Enabled'));
  });

  refusesStrangers(wire, 'GET /{box}?versioning');
});
