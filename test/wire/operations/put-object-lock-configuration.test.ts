/** Tests of PutObjectLockConfiguration over HTTP. */

import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type Given, type RefusalRow } from '../../helpers/wire.ts';

const base64 = (name: string, text: string) => createHash(name).update(text).digest('base64');
const ENABLED = '<ObjectLockEnabled>Enabled</ObjectLockEnabled>';
const document = (inside: string) => ({
  body: `<ObjectLockConfiguration xmlns="urn:x">${inside}</ObjectLockConfiguration>`,
});
const rule = (inside: string) =>
  document(`${ENABLED}<Rule><DefaultRetention>${inside}</DefaultRetention></Rule>`);
const period = (inside: string) => rule(`<Mode>GOVERNANCE</Mode>${inside}`);

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?object-lock';
  const returned = () => wire.store.getObjectLockConfiguration({ bucket: wire.get('box') });
  beforeEach(() => wire.box({ objectLockEnabled: true }));

  test.each([
    ['<Mode>COMPLIANCE</Mode><Days>1</Days>', { mode: 'COMPLIANCE', days: 1 }],
    ['<Days>36500</Days><Mode>GOVERNANCE</Mode>', { mode: 'GOVERNANCE', days: 36_500 }],
    ['<Mode>GOVERNANCE</Mode><Years>100</Years>', { mode: 'GOVERNANCE', years: 100 }],
    ['<Mode>COMPLIANCE</Mode><Years>+1</Years>', { mode: 'COMPLIANCE', years: 1 }],
  ])(
    '[lock-16] PutObjectLockConfiguration sets the default retention %s',
    async (inside, defaultRetention) => {
      expect(await wire.ask(line, rule(inside))).toEqual({
        status: 200,
        headers: { 'content-length': '0' },
        body: '',
      });
      expect(await returned()).toEqual({ defaultRetention });
    },
  );

  test.each([
    ['no rule', document(ENABLED)],
    ['an empty rule', document(`${ENABLED}<Rule/>`)],
    ['a rule that contains only white space', document(`${ENABLED}<Rule>\n </Rule>`)],
  ])(
    '[lock-17] PutObjectLockConfiguration with %s removes the default retention',
    async (_, given) => {
      await wire.ask(line, period('<Days>1</Days>'));
      expect((await wire.ask(line, given)).status).toBe(200);
      expect(await returned()).toEqual({});
    },
  );

  test('PutObjectLockConfiguration replaces the previous default retention, in days or in years', async () => {
    await wire.ask(line, period('<Days>1</Days>'));
    await wire.ask(line, period('<Years>2</Years>'));
    expect(await returned()).toEqual({ defaultRetention: { mode: 'GOVERNANCE', years: 2 } });
  });

  const days = period('<Days>1</Days>');
  test.each<[string, Given]>([
    ['its signed SHA-256', {}],
    [
      'Content-MD5',
      { headers: { 'content-md5': base64('md5', days.body) }, contentSha256: 'UNSIGNED-PAYLOAD' },
    ],
    [
      'a checksum',
      {
        headers: { 'x-*-checksum-sha256': base64('sha256', days.body) },
        contentSha256: 'UNSIGNED-PAYLOAD',
      },
    ],
  ])(
    '[lock-42] PutObjectLockConfiguration accepts %s as the digest of its body',
    async (_, given) => {
      expect((await wire.ask(line, { ...days, ...given })).status).toBe(200);
    },
  );

  refusesStrangers(wire, line, days);

  const malformed = { status: 400, Code: 'MalformedXML' };
  const outOfLimits = { status: 400, Code: 'InvalidRetentionPeriod' };
  const malformedRows = [
    ['a missing body', { body: '' }],
    ['a body that is not XML', { body: 'hello' }],
    ['an XML document with another root element', { body: '<Retention/>' }],
    ['an empty ObjectLockConfiguration', document('')],
    ['a missing ObjectLockEnabled', document('<Rule/>')],
    ['two ObjectLockEnabled elements', document(ENABLED.repeat(2))],
    [
      '[lock-37] ObjectLockEnabled with the value Disabled',
      document('<ObjectLockEnabled>Disabled</ObjectLockEnabled>'),
    ],
    [
      'ObjectLockEnabled with the value enabled',
      document('<ObjectLockEnabled>enabled</ObjectLockEnabled>'),
    ],
    ['two rules', document(`${ENABLED}<Rule/><Rule/>`)],
    ['a rule that contains only text', document(`${ENABLED}<Rule>none</Rule>`)],
    [
      'a mistyped DefaultRetention, which would remove the default',
      document(`${ENABLED}<Rule><DefaultRetension/></Rule>`),
    ],
    ['an empty DefaultRetention element', rule('')],
    ['[lock-37] a missing mode', rule('<Days>1</Days>')],
    ['a mode in lower case', rule('<Mode>governance</Mode><Days>1</Days>')],
    ['two modes', rule('<Mode>GOVERNANCE</Mode><Mode>COMPLIANCE</Mode><Days>1</Days>')],
    ['[lock-37] a period with neither days nor years', period('')],
    ['[lock-37] a period with both days and years', period('<Days>1</Days><Years>1</Years>')],
    ['two Days elements', period('<Days>1</Days><Days>2</Days>')],
    ['an empty Days element', period('<Days/>')],
    ['half a day', period('<Days>0.5</Days>')],
    ['Days that is not a number', period('<Days>one</Days>')],
  ] as const;
  const outOfLimitsRows = [
    ...['0', '-1', '36501', '1000000000'].map((count) => `<Days>${count}</Days>`),
    ...['0', '-1', '101'].map((count) => `<Years>${count}</Years>`),
  ];
  wire.refuses(
    [
      ...malformedRows.map(([claim, given]): RefusalRow => [claim, line, given, malformed]),
      ...outOfLimitsRows.map((inside): RefusalRow => [
        `[lock-38] ${inside}`,
        line,
        period(inside),
        outOfLimits,
      ]),
      [
        '[lock-42] a body without SHA-256, Content-MD5 or checksum',
        line,
        { ...days, contentSha256: 'UNSIGNED-PAYLOAD' },
        { status: 400, Code: 'InvalidRequest' },
      ],
      [
        'a wrong Content-MD5',
        line,
        { ...days, headers: { 'content-md5': base64('md5', '') } },
        {
          status: 400,
          Code: 'BadDigest',
          ExpectedDigest: base64('md5', ''),
          CalculatedDigest: base64('md5', days.body),
        },
      ],
      [
        'a token that would enable Object Lock later',
        line,
        { ...days, headers: { 'x-*-bucket-object-lock-token': 'x' } },
        {
          status: 501,
          Code: 'NotImplemented',
          Header: `${wire.dialect.headerPrefix}bucket-object-lock-token`,
        },
      ],
      [
        'the Object Lock configuration of an object',
        'PUT /{box}/a?object-lock',
        days,
        { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'OBJECT-LOCK' },
      ],
      [
        'a DELETE of the Object Lock configuration',
        'DELETE /{box}?object-lock',
        {},
        { status: 405, Code: 'MethodNotAllowed', Method: 'DELETE', ResourceType: 'OBJECT-LOCK' },
      ],
    ],
    async () => {
      const defaultRetention = { mode: 'COMPLIANCE', days: 3 } as const;
      const bucket = wire.get('box');
      await wire.store.putObjectLockConfiguration({ bucket, defaultRetention });
    },
  );

  test.each([
    ['a default retention', days],
    ['no default retention', document(ENABLED)],
  ])(
    '[lock-41] PutObjectLockConfiguration with %s is rejected for a bucket without Object Lock',
    async (_, given) => {
      await wire.box();
      const refused = { status: 409, Code: 'InvalidBucketState' };
      expect(await wire.refusal(line, given)).toEqual(refused);
    },
  );
});
