/** GetObjectTagging on the wire: nothing here has tags yet, and tools ask before they copy in parts. */

import { describe, expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const noTags = `<Tagging xmlns="${wire.dialect.xmlNamespace}"><TagSet/></Tagging>`;

  test.each(['?tagging', '?tagging=', '?tagging=null'])('%s is an empty set', async (query) => {
    await wire.put('k', 'content');
    expect(await wire.ask(`GET /{box}/k${query}`, { as: colleague })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: noTags,
    });
  });

  test('of a version, it tells which', async () => {
    await wire.versioning('Enabled');
    await wire.put('k', 'one', { name: 'first' });
    await wire.put('k', 'two', { name: 'second' });
    for (const [query, name] of [
      ['tagging', 'second'],
      ['tagging&versionId={first}', 'first'],
    ] as const) {
      expect(await wire.ask(`GET /{box}/k?${query}`)).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml', 'x-*-version-id': `{${name}}` },
        body: noTags,
      });
    }
  });

  refusesStrangers(wire, 'GET /{box}/k?tagging');

  describe('what has no tags to tell', () => {
    wire.refuses([
      ['a missing key', 'GET /{box}/k?tagging', {}, { status: 404, Code: 'NoSuchKey' }],
      [
        'an empty version id',
        'GET /{box}/k?tagging&versionId=',
        {},
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'versionId', ArgumentValue: '' },
      ],
    ]);
  });

  describe('what would change tags', () => {
    wire.refuses(
      ['PUT', 'DELETE', 'POST'].map((method) => [
        `${method} ?tagging`,
        `${method} /{box}/k?tagging`,
        {},
        { status: 501, Code: 'NotImplemented', ResourceType: 'TAGGING' },
      ]),
      () => wire.put('k', 'kept'),
    );
  });
});
