/** Tests of PutBucketCors over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type RefusalRow } from '../../helpers/wire.ts';

const document = (inside: string) => ({
  body: `<CORSConfiguration xmlns="urn:x">${inside}</CORSConfiguration>`,
});
const [ORIGIN, METHOD] = [
  '<AllowedOrigin>https://a.test</AllowedOrigin>',
  '<AllowedMethod>GET</AllowedMethod>',
];
const rule = (inside: string) => `<CORSRule>${inside}</CORSRule>`;
const having = (inside: string) => document(rule(ORIGIN + METHOD + inside));
const GOOD = rule(ORIGIN + METHOD);

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?cors';
  const returned = async () => (await wire.store.getCors({ bucket: wire.get('box') })).rules;

  test('[cors-24] [cors-13] PutBucketCors keeps the order of the rules, and accepts the elements of a rule in any order', async () => {
    const given = document(
      rule(
        '<MaxAgeSeconds>60</MaxAgeSeconds><ExposeHeader>ETag</ExposeHeader><ExposeHeader>x-a</ExposeHeader>' +
          `<AllowedHeader>*</AllowedHeader>${METHOD}<AllowedMethod>PUT</AllowedMethod>` +
          `${ORIGIN}<AllowedOrigin>*</AllowedOrigin><ID>first</ID><Unknown/>`,
      ) + rule(`\n ${METHOD}\n ${ORIGIN}\n`),
    );
    expect(await wire.ask(line, given)).toEqual({
      status: 200,
      headers: { 'content-length': '0' },
      body: '',
    });
    expect(await returned()).toEqual([
      {
        id: 'first',
        allowedOrigins: ['https://a.test', '*'],
        allowedMethods: ['GET', 'PUT'],
        allowedHeaders: ['*'],
        exposeHeaders: ['ETag', 'x-a'],
        maxAgeSeconds: 60,
      },
      { allowedOrigins: ['https://a.test'], allowedMethods: ['GET'] },
    ]);
  });

  test('[cors-1] PutBucketCors accepts 100 rules', async () => {
    expect((await wire.ask(line, document(GOOD.repeat(100)))).status).toBe(200);
    expect(await returned()).toHaveLength(100);
  });

  const schemeless = ['*suffix', 'start*end', 'example.org', 'http*', 'null'];
  test('[cors-27] PutBucketCors accepts origins without a scheme only in requests with x-amz- headers', async () => {
    const elements = schemeless.map((origin) => `<AllowedOrigin>${origin}</AllowedOrigin>`);
    for (const element of elements) {
      const given = document(rule(METHOD + element));
      if (wire.dialect.name === 'amz') expect((await wire.send(line, given)).status).toBe(200);
      else expect(await wire.refusal(line, given)).toEqual({ status: 400, Code: 'InvalidRequest' });
    }
    if (wire.dialect.name === 'amz') {
      await wire.send(line, document(rule(METHOD + elements.join(''))));
      expect(await returned()).toMatchObject([{ allowedOrigins: schemeless }]);
    }
  });

  refusesStrangers(wire, line, document(GOOD));

  const malformed: readonly (readonly [string, { readonly body: string }])[] = [
    ['a missing body', { body: '' }],
    ['a body that is not XML', { body: 'hello' }],
    ['an XML document with another root element', { body: '<WebsiteConfiguration/>' }],
    [
      'an XML entity declaration',
      { body: `<!DOCTYPE x [<!ENTITY a "b">]><CORSConfiguration>${GOOD}</CORSConfiguration>` },
    ],
    ['a missing rule', document('')],
    ['a rule that contains only text', document(rule('all'))],
    ['a rule without an origin', document(rule(METHOD))],
    ['a rule without a method', document(rule(ORIGIN))],
    ['two IDs in a rule', having('<ID>a</ID><ID>b</ID>')],
    [
      'two MaxAgeSeconds elements',
      having('<MaxAgeSeconds>1</MaxAgeSeconds><MaxAgeSeconds>2</MaxAgeSeconds>'),
    ],
    ['a negative MaxAgeSeconds', having('<MaxAgeSeconds>-1</MaxAgeSeconds>')],
    ['a MaxAgeSeconds that is not a number', having('<MaxAgeSeconds>long</MaxAgeSeconds>')],
    ['an empty MaxAgeSeconds', having('<MaxAgeSeconds/>')],
    [
      'an origin that contains an element',
      document(rule(`<AllowedOrigin><a/></AllowedOrigin>${METHOD}`)),
    ],
  ];
  const invalid: readonly (readonly [string, { readonly body: string }])[] = [
    ['101 rules', document(GOOD.repeat(101))],
    ['an empty origin', having('<AllowedOrigin/>')],
    ['an origin with a space', having('<AllowedOrigin>https://a.test b</AllowedOrigin>')],
    ['an origin with two wildcards', having('<AllowedOrigin>https://*.*</AllowedOrigin>')],
    [
      'an origin with a line feed',
      having('<AllowedOrigin>https://a.test&#10;X: y</AllowedOrigin>'),
    ],
    ['an unsupported method', having('<AllowedMethod>PATCH</AllowedMethod>')],
    ['a method in lower case', having('<AllowedMethod>get</AllowedMethod>')],
    ['a header with two wildcards', having('<AllowedHeader>x-*-*</AllowedHeader>')],
    ['an invalid header name', having('<AllowedHeader>a b</AllowedHeader>')],
    ['an exposed header with a wildcard', having('<ExposeHeader>*</ExposeHeader>')],
    ['an exposed header with a carriage return', having('<ExposeHeader>a&#13;X: y</ExposeHeader>')],
    ['an ID of 256 characters', having(`<ID>${'x'.repeat(256)}</ID>`)],
    ['a MaxAgeSeconds of 2³²', having('<MaxAgeSeconds>4294967296</MaxAgeSeconds>')],
    ['an invalid rule after a valid one', document(GOOD + rule(`${ORIGIN}<AllowedMethod/>`))],
  ];
  const rows = (
    table: typeof malformed,
    Code: 'InvalidRequest' | 'MalformedXML',
  ): readonly RefusalRow[] =>
    table.map(([claim, given]) => [claim, line, given, { status: 400, Code }]);
  const before = [{ allowedOrigins: ['*'], allowedMethods: ['HEAD'] }] as const;
  wire.refuses(
    [
      ...rows(malformed, 'MalformedXML'),
      ...rows(invalid, 'InvalidRequest'),
      [
        'a wrong Content-MD5',
        line,
        { ...document(GOOD), headers: { 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' } },
        expect.objectContaining({ status: 400, Code: 'BadDigest' }) as RefusalRow[3],
      ],
      [
        'CORS rules of an object',
        'PUT /{box}/a?cors',
        document(GOOD),
        { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'CORS' },
      ],
    ],
    () => wire.store.putCors({ bucket: wire.get('box'), rules: before }),
  );
});
