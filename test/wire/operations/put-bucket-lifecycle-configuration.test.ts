/** Tests of PutBucketLifecycleConfiguration over HTTP. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type Given, type RefusalRow } from '../../helpers/wire.ts';

const base64 = (name: string, text: string) => createHash(name).update(text).digest('base64');
const document = (inside: string) => ({
  body: `<LifecycleConfiguration xmlns="urn:x">${inside}</LifecycleConfiguration>`,
});
const ON = '<Status>Enabled</Status>';
const DAYS = '<Expiration><Days>1</Days></Expiration>';
const ALL = '<Filter/>';
const rule = (inside: string) => `<Rule>${inside}</Rule>`;
const one = (inside: string) => document(rule(inside));
const filtered = (inside: string) => one(`${ON}${DAYS}<Filter>${inside}</Filter>`);
const expiring = (inside: string) => one(`${ON}${ALL}<Expiration>${inside}</Expiration>`);
const tag = (key: string, value = 'v') => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?lifecycle';
  const returned = () => wire.store.getLifecycle({ bucket: wire.get('box') });
  const read = async () => {
    const [first] = await returned();
    return first;
  };
  const base = { id: expect.any(String) as string, enabled: true };
  const daily = { ...base, expiration: { days: 1 } };

  test('[lc-40] PutBucketLifecycleConfiguration replaces all previous rules', async () => {
    await wire.ask(line, one(`<ID>before</ID>${ON}${ALL}${DAYS}`));
    expect(await wire.ask(line, one(`<ID>after</ID>${ON}${ALL}${DAYS}`))).toEqual({
      status: 200,
      headers: { 'content-length': '0' },
      body: '',
    });
    expect(await returned()).toEqual([{ ...daily, id: 'after', filter: {} }]);
  });

  test.each([
    ['a prefix', filtered('<Prefix>a/</Prefix>'), { ...daily, filter: { prefix: 'a/' } }],
    ['an empty prefix', filtered('<Prefix/>'), { ...daily, filter: { prefix: '' } }],
    ['no condition', filtered(''), { ...daily, filter: {} }],
    ['a tag', filtered(tag('k')), { ...daily, filter: { tags: [{ key: 'k', value: 'v' }] } }],
    [
      'a size',
      filtered('<ObjectSizeGreaterThan>500</ObjectSizeGreaterThan>'),
      { ...daily, filter: { sizeGreaterThan: 500 } },
    ],
    [
      'all conditions',
      filtered(
        `<And><ObjectSizeLessThan>9</ObjectSizeLessThan>${tag('j', '')}<Prefix>a</Prefix>${tag('k')}` +
          '<ObjectSizeGreaterThan>2</ObjectSizeGreaterThan></And>',
      ),
      {
        ...daily,
        filter: {
          prefix: 'a',
          tags: [
            { key: 'j', value: '' },
            { key: 'k', value: 'v' },
          ],
          sizeGreaterThan: 2,
          sizeLessThan: 9,
        },
      },
    ],
    [
      'the older Prefix element',
      one(`<Prefix>a/</Prefix>${ON}${DAYS}`),
      { ...daily, filter: { prefix: 'a/' }, legacyPrefix: true },
    ],
  ])('[lc-41] a lifecycle rule can select objects by %s', async (_, given, expected) => {
    expect((await wire.ask(line, given)).status).toBe(200);
    expect(await read()).toEqual(expected);
  });

  test.each([
    [
      '<Expiration><Date>2026-12-24T00:00:00Z</Date></Expiration>',
      { expiration: { date: Date.UTC(2026, 11, 24) } },
    ],
    [
      '<Expiration><Date>2026-12-24T00:00:00.000+00:00</Date></Expiration>',
      { expiration: { date: Date.UTC(2026, 11, 24) } },
    ],
    [
      '<Expiration><Date>2026-12-24</Date></Expiration>',
      { expiration: { date: Date.UTC(2026, 11, 24) } },
    ],
    [
      '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>',
      { expiration: { expiredDeleteMarker: true } },
    ],
    [
      '<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionExpiration>',
      { noncurrentExpiration: { days: 3, keepNewest: 2 } },
    ],
    [
      '<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
      { abortUploadsAfterDays: 7 },
    ],
  ])('[lc-42] a lifecycle rule can have the action %s', async (action, expected) => {
    expect((await wire.ask(line, one(`${ON}${ALL}${action}`))).status).toBe(200);
    expect(await read()).toEqual({ ...base, filter: {}, ...expected });
  });

  test('[lc-43] PutBucketLifecycleConfiguration stores a disabled rule', async () => {
    await wire.ask(line, one(`<Status>Disabled</Status>${ALL}${DAYS}`));
    expect(await read()).toMatchObject({ enabled: false });
  });

  test('[lc-3] a lifecycle rule without an id, or with an empty one, gets a new id', async () => {
    await wire.ask(line, document(rule(`${ON}${ALL}${DAYS}`) + rule(`<ID/>${ON}${ALL}${DAYS}`)));
    const ids = (await returned()).map(({ id }) => id);
    expect(ids.every((id) => id.length > 8)).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });

  test('PutBucketLifecycleConfiguration accepts 1,000 rules', async () => {
    const rules = Array.from({ length: 1000 }, (_, index) => {
      const prefix = `${'p'.repeat(1000)}${index}`;
      return rule(`${ON}<Filter><Prefix>${prefix}</Prefix></Filter>${DAYS}`);
    });
    expect((await wire.ask(line, document(rules.join('')))).status).toBe(200);
    expect(await returned()).toHaveLength(1000);
  });

  const plain = one(`${ON}${ALL}${DAYS}`);
  test.each<[string, Given]>([
    ['its signed SHA-256', {}],
    [
      'Content-MD5',
      { headers: { 'content-md5': base64('md5', plain.body) }, contentSha256: 'UNSIGNED-PAYLOAD' },
    ],
    [
      'a checksum',
      {
        headers: { 'x-*-checksum-sha256': base64('sha256', plain.body) },
        contentSha256: 'UNSIGNED-PAYLOAD',
      },
    ],
    [
      'its signed SHA-256 together with a minimum transition size, which is ignored,',
      { headers: { 'x-*-transition-default-minimum-object-size': 'varies_by_storage_class' } },
    ],
  ])('PutBucketLifecycleConfiguration accepts %s as the digest of its body', async (_, given) => {
    expect((await wire.ask(line, { ...plain, ...given })).status).toBe(200);
  });

  refusesStrangers(wire, line, {
    ...plain,
    headers: { 'content-md5': base64('md5', plain.body) },
  });

  const malformed = { status: 400, Code: 'MalformedXML' };
  const invalid = (ArgumentName: string, ArgumentValue: string) => ({
    status: 400,
    Code: 'InvalidArgument',
    ArgumentName,
    ArgumentValue,
  });
  const request = { status: 400, Code: 'InvalidRequest' };
  const noTransition = (ArgumentName: string) => ({
    status: 400,
    Code: 'InvalidArgument',
    ArgumentName,
  });
  const TWICE = '<Days>1</Days><Days>2</Days>';
  const malformedRows = [
    ['a missing body', { body: '' }],
    ['a body that is not XML', { body: 'hello' }],
    ['an XML document with another root element', { body: '<Lifecycle/>' }],
    ['a missing rule', document('')],
    ['1,001 rules', document(rule(`${ON}${ALL}${DAYS}`).repeat(1001))],
    ['a missing status', one(`${ALL}${DAYS}`)],
    ['a status in lower case', one(`<Status>enabled</Status>${ALL}${DAYS}`)],
    ['two statuses', one(`${ON}${ON}${ALL}${DAYS}`)],
    ['neither Filter nor Prefix, which would select the whole bucket', one(`${ON}${DAYS}`)],
    ['a mistyped filter', one(`${ON}<Filtre><Prefix>a</Prefix></Filtre>${DAYS}`)],
    ['a mistyped Prefix, which would select the whole bucket', filtered('<Prefx>a/</Prefx>')],
    ['an unknown filter condition', filtered('<ObjectAgeGreaterThan>1</ObjectAgeGreaterThan>')],
    ['an unknown condition in And', filtered('<And><Prefx>a</Prefx></And>')],
    ['two filters', one(`${ON}${ALL}${ALL}${DAYS}`)],
    ['two conditions without And', filtered(`<Prefix>a</Prefix>${tag('k')}`)],
    ['two tags without And', filtered(tag('j') + tag('k'))],
    [
      'a condition next to And',
      filtered(`<And><Prefix>a</Prefix>${tag('k')}</And><Prefix>a</Prefix>`),
    ],
    ['two prefixes', filtered('<Prefix>a</Prefix><Prefix>b</Prefix>')],
    ['a tag without a value', filtered('<Tag><Key>k</Key></Tag>')],
    ['a size that is not a number', filtered('<ObjectSizeLessThan>many</ObjectSizeLessThan>')],
    ['a filter that contains only text', one(`${ON}${DAYS}<Filter>a/</Filter>`)],
    ['an empty expiration', expiring('')],
    ['both Days and Date', expiring('<Days>1</Days><Date>2026-12-24</Date>')],
    [
      'both Days and ExpiredObjectDeleteMarker',
      expiring('<Days>1</Days><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>'),
    ],
    [
      'an expiration that does nothing',
      expiring('<ExpiredObjectDeleteMarker>false</ExpiredObjectDeleteMarker>'),
    ],
    ['two Days elements', expiring(TWICE)],
    ['half a day', expiring('<Days>0.5</Days>')],
    ['Days that is not a number', expiring('<Days>one</Days>')],
    ['an empty Days element', expiring('<Days/>')],
    ['an invalid date', expiring('<Date>2026-13-01</Date>')],
    ['an unknown action', one(`${ON}${ALL}${DAYS}<Shred/>`)],
    ['NoncurrentVersionExpiration without days', one(`${ON}${ALL}<NoncurrentVersionExpiration/>`)],
    [
      'NewerNoncurrentVersions without NoncurrentDays',
      one(
        `${ON}${ALL}<NoncurrentVersionExpiration><NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionExpiration>`,
      ),
    ],
    [
      'AbortIncompleteMultipartUpload without days',
      one(`${ON}${ALL}<AbortIncompleteMultipartUpload/>`),
    ],
    ['a rule inside a rule', one(`${ON}${ALL}${DAYS}${rule('')}`)],
    ['an XML entity declaration', { body: `<!DOCTYPE a [<!ENTITY b "1">]>${plain.body}` }],
  ] as const;
  const previous = (inside: string) =>
    one(`${ON}${ALL}<NoncurrentVersionExpiration>${inside}</NoncurrentVersionExpiration>`);
  const abort = `<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>`;
  wire.refuses(
    [
      ...malformedRows.map(([claim, given]): RefusalRow => [claim, line, given, malformed]),
      ...['0', '-1', '1000000000'].map((count): RefusalRow => [
        `${count} days`,
        line,
        expiring(`<Days>${count}</Days>`),
        invalid('Days', count),
      ]),
      [
        'a date at noon',
        line,
        expiring('<Date>2026-12-24T12:00:00Z</Date>'),
        invalid('Date', '1798113600000'),
      ],
      [
        '0 days for noncurrent versions',
        line,
        previous('<NoncurrentDays>0</NoncurrentDays>'),
        invalid('NoncurrentDays', '0'),
      ],
      [
        '101 newer noncurrent versions',
        line,
        previous(
          '<NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>101</NewerNoncurrentVersions>',
        ),
        invalid('NewerNoncurrentVersions', '101'),
      ],
      [
        'an abort of uploads after 0 days',
        line,
        one(`${ON}${ALL}${abort.replace('>1<', '>0<')}`),
        invalid('DaysAfterInitiation', '0'),
      ],
      [
        'two rules with the same ID',
        line,
        document(rule(`<ID>a</ID>${ON}${ALL}${DAYS}`).repeat(2)),
        invalid('ID', 'a'),
      ],
      [
        'a rule ID of 256 characters',
        line,
        one(`<ID>${'n'.repeat(256)}</ID>${ON}${ALL}${DAYS}`),
        invalid('ID', 'n'.repeat(255)),
      ],
      ['a rule without an action', line, one(`${ON}${ALL}`), request],
      [
        'both Filter and the older Prefix element',
        line,
        one(`<Prefix>a</Prefix>${ON}${ALL}${DAYS}`),
        request,
      ],
      [
        'an abort of uploads by tag',
        line,
        one(`${ON}<Filter>${tag('k')}</Filter>${abort}`),
        request,
      ],
      [
        'an abort of uploads by size',
        line,
        one(`${ON}<Filter><ObjectSizeLessThan>9</ObjectSizeLessThan></Filter>${abort}`),
        request,
      ],
      [
        'an expiration of delete markers by tag',
        line,
        one(
          `${ON}<Filter>${tag('k')}</Filter><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>`,
        ),
        request,
      ],
      ['a prefix of 1,025 bytes', line, filtered(`<Prefix>${'p'.repeat(1025)}</Prefix>`), request],
      [
        'a duplicate tag',
        line,
        filtered(`<And>${tag('k', '1')}${tag('k', '2')}</And>`),
        { status: 400, Code: 'InvalidTag', TagKey: 'k' },
      ],
      [
        'a transition to another storage class',
        line,
        one(
          `${ON}${ALL}<Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition>`,
        ),
        noTransition('Transition'),
      ],
      [
        'a transition of noncurrent versions',
        line,
        one(
          `${ON}${ALL}${DAYS}<NoncurrentVersionTransition><NoncurrentDays>1</NoncurrentDays><StorageClass>GLACIER</StorageClass></NoncurrentVersionTransition>`,
        ),
        noTransition('NoncurrentVersionTransition'),
      ],
      [
        'an XML body of more than 2 MiB',
        line,
        document(' '.repeat(2 * 1024 * 1024)),
        { status: 400, Code: 'MaxMessageLengthExceeded' },
      ],
      [
        'a body without SHA-256, Content-MD5 or checksum',
        line,
        { ...plain, contentSha256: 'UNSIGNED-PAYLOAD' },
        request,
      ],
      [
        'a wrong Content-MD5',
        line,
        { ...plain, headers: { 'content-md5': base64('md5', '') } },
        {
          status: 400,
          Code: 'BadDigest',
          ExpectedDigest: base64('md5', ''),
          CalculatedDigest: base64('md5', plain.body),
        },
      ],
      [
        'the lifecycle of an object',
        'PUT /{box}/a?lifecycle',
        plain,
        { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'LIFECYCLE' },
      ],
    ],
    async () => {
      const rules = [{ id: 'kept', enabled: true, filter: {}, expiration: { days: 3 } }];
      await wire.store.putLifecycle({ bucket: wire.get('box'), rules });
    },
  );
});
