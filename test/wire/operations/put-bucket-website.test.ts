/** Tests of PutBucketWebsite over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type Refusal, type RefusalRow } from '../../helpers/wire.ts';

const document = (inside: string) => ({
  body: `<WebsiteConfiguration xmlns="urn:x">${inside}</WebsiteConfiguration>`,
});
const INDEX = '<IndexDocument><Suffix>index.html</Suffix></IndexDocument>';
const ALL = '<RedirectAllRequestsTo><HostName>a.test</HostName></RedirectAllRequestsTo>';
const rules = (inside: string) => document(`${INDEX}<RoutingRules>${inside}</RoutingRules>`);
const rule = (redirect: string, condition = '') =>
  rules(`<RoutingRule>${condition}<Redirect>${redirect}</Redirect></RoutingRule>`);
const HOST = '<HostName>a.test</HostName>';
const NO_SUFFIX =
  'A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty';

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?website';
  const returned = () => wire.store.getWebsite({ bucket: wire.get('box') });

  test.each([
    [document(INDEX), { indexSuffix: 'index.html' }],
    [
      document(`<ErrorDocument>\n<Key>e.html</Key>\n</ErrorDocument>${INDEX}<Unknown/>`),
      { indexSuffix: 'index.html', errorKey: 'e.html' },
    ],
    [document(ALL), { redirectAll: { hostName: 'a.test' } }],
    [
      rule(
        '<HttpRedirectCode>307</HttpRedirectCode><ReplaceKeyWith>e</ReplaceKeyWith>' +
          `${HOST}<Protocol>https</Protocol>`,
        '<Condition><HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals>' +
          '<KeyPrefixEquals>a/</KeyPrefixEquals></Condition>',
      ),
      {
        indexSuffix: 'index.html',
        routingRules: [
          {
            condition: { keyPrefix: 'a/', errorStatus: 404 },
            redirect: { hostName: 'a.test', protocol: 'https', replaceKeyWith: 'e', status: 307 },
          },
        ],
      },
    ],
  ])(
    '[web-37] [web-1] PutBucketWebsite stores the configuration in its XML body: case %#',
    async (given, website) => {
      expect(await wire.ask(line, given)).toEqual({
        status: 200,
        headers: { 'content-length': '0' },
        body: '',
      });
      expect(await returned()).toEqual(website);
    },
  );

  test('[web-4] the error for a missing index document has the message that S3 clients expect', async () => {
    expect((await wire.send(line, document(''))).text()).toContain(
      `<Message>${NO_SUFFIX}</Message>`,
    );
  });

  refusesStrangers(wire, line, document(INDEX));

  const malformed: readonly (readonly [string, { readonly body: string }])[] = [
    ['a missing body', { body: '' }],
    ['a body that is not XML', { body: 'index.html' }],
    ['an XML document with another root element', { body: '<CORSConfiguration/>' }],
    [
      'an XML entity declaration',
      {
        body: `<!DOCTYPE x [<!ENTITY a "b">]><WebsiteConfiguration>${INDEX}</WebsiteConfiguration>`,
      },
    ],
    ['a configuration that contains only text', document('index.html')],
    ['two index documents', document(INDEX + INDEX)],
    [
      'two suffixes',
      document('<IndexDocument><Suffix>a</Suffix><Suffix>b</Suffix></IndexDocument>'),
    ],
    [
      'two error documents',
      document(`${INDEX}${'<ErrorDocument><Key>e</Key></ErrorDocument>'.repeat(2)}`),
    ],
    ['RedirectAllRequestsTo without a host', document('<RedirectAllRequestsTo/>')],
    [
      'an unknown protocol',
      document(`<RedirectAllRequestsTo>${HOST}<Protocol>ftp</Protocol></RedirectAllRequestsTo>`),
    ],
    ['an empty list of routing rules', rules('')],
    ['a rule without a redirect', rules('<RoutingRule/>')],
    ['two redirects', rules('<RoutingRule><Redirect/><Redirect/></RoutingRule>')],
    [
      'a redirect status that is not a number',
      rule(`${HOST}<HttpRedirectCode>found</HttpRedirectCode>`),
    ],
  ];
  const invalid: readonly (readonly [string, { readonly body: string }])[] = [
    ['RedirectAllRequestsTo and an index document', document(ALL + INDEX)],
    [
      'RedirectAllRequestsTo and routing rules',
      document(
        `${ALL}<RoutingRules><RoutingRule><Redirect>${HOST}</Redirect></RoutingRule></RoutingRules>`,
      ),
    ],
    [
      '51 routing rules',
      rules(`<RoutingRule><Redirect>${HOST}</Redirect></RoutingRule>`.repeat(51)),
    ],
    ['an empty redirect', rule('')],
    ['an empty condition', rule(HOST, '<Condition/>')],
    [
      'both ReplaceKeyWith and ReplaceKeyPrefixWith',
      rule('<ReplaceKeyWith>a</ReplaceKeyWith><ReplaceKeyPrefixWith>b</ReplaceKeyPrefixWith>'),
    ],
    ['a redirect status of 200', rule(`${HOST}<HttpRedirectCode>200</HttpRedirectCode>`)],
    [
      'an error condition of 200',
      rule(
        HOST,
        '<Condition><HttpErrorCodeReturnedEquals>200</HttpErrorCodeReturnedEquals></Condition>',
      ),
    ],
  ];
  const badArgument: readonly (readonly [string, { readonly body: string }, string, string])[] = [
    ['an empty configuration', document(''), 'IndexDocument', ''],
    [
      'an error document without an index document',
      document('<ErrorDocument><Key>e</Key></ErrorDocument>'),
      'IndexDocument',
      '',
    ],
    ['an index document without a suffix', document('<IndexDocument/>'), 'IndexDocument', ''],
    ['an empty suffix', document('<IndexDocument><Suffix/></IndexDocument>'), 'IndexDocument', ''],
    [
      'a suffix with a slash',
      document('<IndexDocument><Suffix>a/b</Suffix></IndexDocument>'),
      'IndexDocument',
      'a/b',
    ],
    ['an error document without a key', document(`${INDEX}<ErrorDocument/>`), 'Key', ''],
    [
      'a host that is a URL',
      document('<RedirectAllRequestsTo><HostName>http://a</HostName></RedirectAllRequestsTo>'),
      'HostName',
      'http://a',
    ],
    ['a host with a line feed', rule('<HostName>a&#10;X: y</HostName>'), 'HostName', 'a\nX: y'],
    [
      'a key with a line feed',
      rule('<ReplaceKeyWith>a&#10;X: y</ReplaceKeyWith>'),
      'ReplaceKeyWith',
      'a\nX: y',
    ],
  ];
  const plain = (Code: string) => ({ status: 400, Code });
  const row =
    (refusal: Refusal) =>
    ([claim, given]: readonly [string, { readonly body: string }]): RefusalRow => [
      claim,
      line,
      given,
      refusal,
    ];
  wire.refuses(
    [
      ...malformed.map(row(plain('MalformedXML'))),
      ...invalid.map(row(plain('InvalidRequest'))),
      ...badArgument.map(([claim, given, ArgumentName, ArgumentValue]): RefusalRow => [
        claim,
        line,
        given,
        { ...plain('InvalidArgument'), ArgumentName, ArgumentValue },
      ]),
      [
        'the website of an object',
        'PUT /{box}/a?website',
        document(INDEX),
        { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'WEBSITE' },
      ],
    ],
    async () => {
      const website = { redirectAll: { hostName: 'before.test' } };
      await wire.store.putWebsite({ bucket: wire.get('box'), website });
    },
  );
});
