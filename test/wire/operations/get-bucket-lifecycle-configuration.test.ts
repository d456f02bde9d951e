/** Tests of GetBucketLifecycleConfiguration over HTTP. */

import { expect, test } from 'vitest';
import type { NewLifecycleRule } from '../../../src/object-store/lifecycle.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?lifecycle';
  const set = (...rules: NewLifecycleRule[]) =>
    wire.store.putLifecycle({ bucket: wire.get('box'), rules });
  const shown = (...rules: string[]) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<LifecycleConfiguration xmlns="${wire.dialect.xmlNamespace}">${rules
      .map((each) => `<Rule>${each}</Rule>`)
      .join('')}</LifecycleConfiguration>`,
  });
  const id = 'r';
  const expiration = { days: 1 };
  const DAYS = '<Expiration><Days>1</Days></Expiration>';

  test.each<[NewLifecycleRule, string]>([
    [
      { id, enabled: true, filter: {}, expiration },
      `<ID>r</ID><Filter/><Status>Enabled</Status>${DAYS}`,
    ],
    [
      { id, enabled: false, filter: { prefix: 'a&b/' }, expiration },
      `<ID>r</ID><Filter><Prefix>a&amp;b/</Prefix></Filter><Status>Disabled</Status>${DAYS}`,
    ],
    [
      { id, enabled: true, filter: { prefix: '' }, legacyPrefix: true, expiration },
      `<ID>r</ID><Prefix/><Status>Enabled</Status>${DAYS}`,
    ],
    [
      { id, enabled: true, filter: { tags: [{ key: 'k', value: '' }] }, expiration },
      `<ID>r</ID><Filter><Tag><Key>k</Key><Value/></Tag></Filter><Status>Enabled</Status>${DAYS}`,
    ],
    [
      {
        id,
        enabled: true,
        filter: { prefix: 'a', sizeGreaterThan: 1, sizeLessThan: 9 },
        expiration: { date: Date.UTC(2026, 11, 24) },
        noncurrentExpiration: { days: 2, keepNewest: 3 },
      },
      '<ID>r</ID><Filter><And><Prefix>a</Prefix><ObjectSizeGreaterThan>1</ObjectSizeGreaterThan>' +
        '<ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter><Status>Enabled</Status>' +
        '<Expiration><Date>2026-12-24T00:00:00.000Z</Date></Expiration><NoncurrentVersionExpiration>' +
        '<NoncurrentDays>2</NoncurrentDays><NewerNoncurrentVersions>3</NewerNoncurrentVersions>' +
        '</NoncurrentVersionExpiration>',
    ],
    [
      {
        id,
        enabled: true,
        filter: {},
        expiration: { expiredDeleteMarker: true },
        abortUploadsAfterDays: 7,
      },
      '<ID>r</ID><Filter/><Status>Enabled</Status><Expiration><ExpiredObjectDeleteMarker>true' +
        '</ExpiredObjectDeleteMarker></Expiration><AbortIncompleteMultipartUpload><DaysAfterInitiation>7' +
        '</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
    ],
  ])(
    '[lc-44] GetBucketLifecycleConfiguration returns the rule %j unchanged',
    async (rule, expected) => {
      await set(rule);
      expect(await wire.ask(line)).toEqual(shown(expected));
    },
  );

  test('GetBucketLifecycleConfiguration returns the rules in the order in which they were put', async () => {
    await set(
      { id: 'z', enabled: true, filter: {}, expiration },
      { id: 'a', enabled: true, filter: {}, expiration },
    );
    expect((await wire.ask('GET /{box}/?lifecycle=null')).body).toMatch(/<ID>z<.*<ID>a</);
  });

  refusesStrangers(wire, line);

  wire.refuses([
    ['a bucket without rules', line, {}, { status: 404, Code: 'NoSuchLifecycleConfiguration' }],
    [
      'the lifecycle of an object',
      'GET /{box}/a?lifecycle',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'GET', ResourceType: 'LIFECYCLE' },
    ],
    [
      'a bucket that does not exist',
      'GET /missing?lifecycle',
      {},
      { status: 404, Code: 'NoSuchBucket' },
    ],
  ]);
});
