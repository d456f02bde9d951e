/** Tests of limits that the configuration changes from their standard values. */

import { expect, test } from 'vitest';
import { WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

const LONGEST = 'k'.repeat(255);
const object = (key: string) => `<Object><Key>${key}</Key></Object>`;
const tag = (key: string) => `<Tag><Key>${key}</Key><Value/></Tag>`;
const tagging = (...keys: string[]) => ({
  body: `<Tagging><TagSet>${keys.map(tag).join('')}</TagSet></Tagging>`,
});
const deletion = (...keys: string[]) => ({
  body: `<Delete>${keys.map(object).join('')}</Delete>`,
});

const lowered = { keyBytes: 255, tagsPerObject: 2, keysPerBulkDelete: 2, partsPerUpload: 2 };

inBothDialects(new WireBench({ quotas: lowered }), (wire) => {
  const begin = async () => {
    const answer = await wire.send('POST /{box}/a?uploads');
    wire.nameElement('id', answer, 'UploadId');
  };
  const status = async (...asked: Parameters<typeof wire.send>) =>
    (await wire.send(...asked)).status;

  test('[quota-10] requests at the configured limits are accepted', async () => {
    await begin();
    expect([
      await status(`PUT /{box}/${LONGEST}`, { body: 'x' }),
      await status(`PUT /{box}/${LONGEST}?tagging`, tagging('a', 'b')),
      await status('PUT /{box}/a?partNumber=2&uploadId={id}', { body: 'x' }),
      await status('POST /{box}/?delete', deletion(LONGEST, 'none')),
    ]).toEqual([200, 200, 200, 200]);
  });

  const tooLong = { status: 400, Code: 'KeyTooLongError', Size: '256', MaxSizeAllowed: '255' };
  const tooMany = { status: 400, Code: 'InvalidTag', MaxTagsAllowed: '2' };
  wire.refuses(
    [
      ['[quota-10] a key above the limit', `PUT /{box}/${LONGEST}k`, { body: 'x' }, tooLong],
      [
        '[quota-10] a multipart upload to a key above the limit',
        `POST /{box}/${LONGEST}k?uploads`,
        {},
        tooLong,
      ],
      [
        '[quota-10] a copy to a key above the limit',
        `PUT /{box}/${LONGEST}k`,
        { headers: { 'x-*-copy-source': '{box}/a' } },
        tooLong,
      ],
      [
        '[quota-10] a third tag with a limit of two',
        'PUT /{box}/a?tagging',
        tagging('a', 'b', 'c'),
        tooMany,
      ],
      [
        '[quota-10] a PUT of a third tag with a limit of two',
        'PUT /{box}/a',
        { headers: { 'x-*-tagging': 'a&b&c' }, body: 'x' },
        tooMany,
      ],
      [
        '[quota-10] a third part with a limit of two',
        'PUT /{box}/a?partNumber=3&uploadId={id}',
        { body: 'x' },
        {
          status: 400,
          Code: 'InvalidArgument',
          ArgumentName: 'partNumber',
          ArgumentValue: '3',
        },
      ],
      [
        '[quota-10] a third key of a bulk delete with a limit of two',
        'POST /{box}/?delete',
        deletion('a', 'b', 'c'),
        { status: 400, Code: 'MalformedXML', MaxKeysAllowed: '2' },
      ],
    ],
    async () => {
      await wire.put('a', 'x');
      await begin();
    },
  );
});

inBothDialects(new WireBench({ quotas: { tagsPerObject: 50 } }), (wire) => {
  test('[quota-10] a configured limit of 50 tags per object is accepted', async () => {
    await wire.put('a', 'x');
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    expect((await wire.send('PUT /{box}/a?tagging', tagging(...keys))).status).toBe(200);
    const returned = await wire.send('GET /{box}/a?tagging');
    expect(returned.text().match(/<Tag>/g)).toHaveLength(50);
    const refused = await wire.refusal('PUT /{box}/a?tagging', tagging(...keys, 'one-more'));
    expect(refused).toMatchObject({ Code: 'InvalidTag', MaxTagsAllowed: '50' });
  });
});
