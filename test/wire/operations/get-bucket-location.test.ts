/** Tests of GetBucketLocation over HTTP. The client s3cmd sends this request before any other. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, REGION, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  test.each(['?location', '?location=', '?location=null'])(
    '[bucket-10] a GET of a bucket with %s returns its region',
    async (query) => {
      expect(await wire.ask(`GET /{box}/${query}`)).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: `<LocationConstraint xmlns="${wire.dialect.xmlNamespace}">${REGION}</LocationConstraint>`,
      });
    },
  );

  test('another user of the project can read the location of a bucket', async () => {
    expect((await wire.send('GET /{box}?location', { as: colleague })).status).toBe(200);
  });

  refusesStrangers(wire, 'GET /{box}?location');

  wire.refuses([
    [
      'the location of an object',
      'GET /{box}/a?location',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'GET', ResourceType: 'LOCATION' },
    ],
    [
      'two subresources',
      'GET /{box}?location&versioning',
      {},
      { status: 400, Code: 'InvalidArgument', ArgumentName: 'versioning', ArgumentValue: '' },
    ],
  ]);
});
