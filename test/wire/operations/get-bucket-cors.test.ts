/** Tests of GetBucketCors over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?cors';

  test('[cors-13] GetBucketCors returns the rules unchanged and in their original order', async () => {
    const rules = [
      {
        id: 'an <id>',
        allowedOrigins: ['https://*.a.test', 'http://b.test'],
        allowedMethods: ['PUT', 'POST'] as const,
        allowedHeaders: ['*'],
        exposeHeaders: ['ETag'],
        maxAgeSeconds: 0,
      },
      { allowedOrigins: ['*'], allowedMethods: ['GET'] as const },
    ];
    await wire.store.putCors({ bucket: wire.get('box'), rules });
    expect(await wire.ask(line)).toMatchObject({
      status: 200,
      body:
        '<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><CORSRule>' +
        '<ID>an &lt;id&gt;</ID>' +
        '<AllowedOrigin>https://*.a.test</AllowedOrigin><AllowedOrigin>http://b.test</AllowedOrigin>' +
        '<AllowedMethod>PUT</AllowedMethod><AllowedMethod>POST</AllowedMethod>' +
        '<AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader>' +
        '<MaxAgeSeconds>0</MaxAgeSeconds></CORSRule>' +
        '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>' +
        '</CORSConfiguration>',
    });
  });

  refusesStrangers(wire, line);
  wire.refuses([
    ['a bucket without rules', line, {}, { status: 404, Code: 'NoSuchCORSConfiguration' }],
    [
      'CORS rules of an object',
      'GET /{box}/a?cors',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'GET', ResourceType: 'CORS' },
    ],
  ]);
});
