/** Tests of GetBucketWebsite over HTTP. */

import { expect, test } from 'vitest';
import type { WebsiteConfiguration } from '../../../src/object-store/website.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?website';
  const root = 'WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

  test.each<[WebsiteConfiguration, string]>([
    [{ indexSuffix: 'index.html' }, '<IndexDocument><Suffix>index.html</Suffix></IndexDocument>'],
    [
      { redirectAll: { hostName: 'a.test', protocol: 'https' } },
      '<RedirectAllRequestsTo><HostName>a.test</HostName><Protocol>https</Protocol></RedirectAllRequestsTo>',
    ],
    [
      {
        indexSuffix: 'i',
        errorKey: 'a & b',
        routingRules: [
          {
            condition: { keyPrefix: 'a/', errorStatus: 404 },
            redirect: { protocol: 'http', hostName: 'a', replaceKeyPrefixWith: 'b/', status: 302 },
          },
          { redirect: { replaceKeyWith: 'c' } },
        ],
      },
      '<IndexDocument><Suffix>i</Suffix></IndexDocument><ErrorDocument><Key>a &amp; b</Key></ErrorDocument>' +
        '<RoutingRules><RoutingRule><Condition><KeyPrefixEquals>a/</KeyPrefixEquals>' +
        '<HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals></Condition>' +
        '<Redirect><Protocol>http</Protocol><HostName>a</HostName>' +
        '<ReplaceKeyPrefixWith>b/</ReplaceKeyPrefixWith><HttpRedirectCode>302</HttpRedirectCode>' +
        '</Redirect></RoutingRule><RoutingRule><Redirect><ReplaceKeyWith>c</ReplaceKeyWith></Redirect>' +
        '</RoutingRule></RoutingRules>',
    ],
  ])('[web-1] GetBucketWebsite returns the configuration %j', async (website, inside) => {
    await wire.store.putWebsite({ bucket: wire.get('box'), website });
    expect(await wire.ask(line)).toMatchObject({
      status: 200,
      body: `<${root}>${inside}</WebsiteConfiguration>`,
    });
  });

  refusesStrangers(wire, line);
  wire.refuses([
    ['a bucket without a website', line, {}, { status: 404, Code: 'NoSuchWebsiteConfiguration' }],
    [
      'the website of an object',
      'GET /{box}/a?website',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'GET', ResourceType: 'WEBSITE' },
    ],
  ]);
});
