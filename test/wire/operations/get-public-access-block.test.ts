/** Tests of GetPublicAccessBlock over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?publicAccessBlock';

  test('[acl-26] [acl-11] GetPublicAccessBlock returns the value of each of the four settings', async () => {
    const block = {
      blockPublicAcls: true,
      ignorePublicAcls: false,
      blockPublicPolicy: true,
      restrictPublicBuckets: false,
    };
    await wire.store.putPublicAccessBlock({ bucket: wire.get('box'), block });
    expect(await wire.ask(line)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: `<PublicAccessBlockConfiguration xmlns="${wire.dialect.xmlNamespace}"><BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>false</IgnorePublicAcls><BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>false</RestrictPublicBuckets></PublicAccessBlockConfiguration>`,
    });
  });

  refusesStrangers(wire, line);

  wire.refuses([
    [
      'a bucket without a public access block',
      line,
      {},
      { status: 404, Code: 'NoSuchPublicAccessBlockConfiguration' },
    ],
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
  ]);
});
