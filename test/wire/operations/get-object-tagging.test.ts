/** Tests of GetObjectTagging over HTTP. */

import { expect, test } from 'vitest';
import { refusesTagTargets } from '../../helpers/tag-questions.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const document = (inside: string) =>
    `<Tagging xmlns="${wire.dialect.xmlNamespace}">${inside}</Tagging>`;

  test.each(['?tagging', '?tagging=', '?tagging=null'])(
    '[svc-11] a GET with %s returns an empty tag set for an object without tags',
    async (query) => {
      await wire.put('k', 'content');
      expect(await wire.ask(`GET /{box}/k${query}`, { as: colleague })).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: document('<TagSet/>'),
      });
    },
  );

  test('[tag-10] GetObjectTagging returns the tags as XML in the namespace of the protocol', async () => {
    const tags = [
      { key: 'a', value: '' },
      { key: 'b', value: 'ü' },
    ];
    await wire.put('k', 'content', { tags });
    expect((await wire.ask('GET /{box}/k?tagging')).body).toBe(
      document(
        '<TagSet><Tag><Key>a</Key><Value/></Tag><Tag><Key>b</Key><Value>ü</Value></Tag></TagSet>',
      ),
    );
  });

  test('[tag-25] GetObjectTagging returns the tags sorted by the UTF-8 bytes of their keys', async () => {
    const keys = ['b', 'ü', 'B', 'a', '𝒂', '\uffdc'];
    await wire.put('k', 'content', { tags: keys.map((key) => ({ key, value: '' })) });
    const { body } = await wire.ask('GET /{box}/k?tagging');
    const listed = [...body.matchAll(/<Key>([^<]+)</g)].map(([, key]) => key);
    expect(listed).toEqual(keys.toSorted((a, b) => Buffer.from(a).compare(Buffer.from(b))));
  });

  test('[tag-11] GetObjectTagging with a version id returns the tags of that version and its id', async () => {
    await wire.versioning('Enabled');
    await wire.put('k', 'one', { name: 'first', tags: [{ key: 'a', value: '1' }] });
    await wire.put('k', 'two', { name: 'second' });
    for (const [query, name, set] of [
      ['tagging', 'second', '<TagSet/>'],
      [
        'tagging&versionId={first}',
        'first',
        '<TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet>',
      ],
    ] as const) {
      expect(await wire.ask(`GET /{box}/k?${query}`)).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml', 'x-*-version-id': `{${name}}` },
        body: document(set),
      });
    }
  });

  refusesTagTargets(wire, 'GET /{box}/a?tagging');

  test.each(['POST', 'HEAD'])(
    'a %s request with ?tagging for an object returns 405',
    async (method) => {
      await wire.put('a', 'x');
      expect(await wire.refusal(`${method} /{box}/a?tagging`)).toMatchObject({ status: 405 });
    },
  );
});
