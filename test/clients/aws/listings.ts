/** Checks of `aws s3api` list-objects and list-objects-v2, with one page and with several pages. */

import assert from 'node:assert/strict';

import { writeContent } from '../content.ts';
import type { Aws, Options } from './aws.ts';

interface Page {
  readonly Contents?: readonly { readonly Key: string; readonly Size: number }[];
  readonly CommonPrefixes?: readonly { readonly Prefix: string }[];
  readonly NextToken?: string;
}

/** Object keys in UTF-8 byte order, which is the order of a listing. */
const KEYS = [
  ...Array.from({ length: 9 }, (_, index) => `file-${index}`),
  'folder a/1',
  'folder a/2',
  'folder+b/1',
  'zz',
  'ümläut/1',
];

export async function checkListings(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('listings');
  const tree = lane.path('listings');
  for (const key of KEYS) writeContent(`${tree}/${key}`, key);
  await aws.s3('mb', `s3://${bucket}`);
  await aws.s3('sync', '--no-progress', tree, `s3://${bucket}`);

  for (const operation of ['list-objects', 'list-objects-v2']) {
    const list = (options: Options = {}) => aws.api<Page>(operation, { bucket, ...options });

    await lane.check(`${operation} returns all keys in order, with sizes`, async () => {
      const page = await list();
      assert.deepEqual(keysOf(page), KEYS);
      const sizes = page.Contents?.map(({ Size }) => Size);
      assert.deepEqual(
        sizes,
        KEYS.map((key) => Buffer.byteLength(key)),
      );
    });

    await lane.check(`${operation} --page-size 3 returns the same keys`, async () => {
      assert.deepEqual(keysOf(await list({ pageSize: 3 })), KEYS);
    });

    await lane.check(
      `${operation} --starting-token continues where --max-items stopped`,
      async () => {
        const first = await list({ maxItems: 5, pageSize: 2 });
        const rest = await list({ startingToken: first.NextToken ?? '', pageSize: 4 });
        assert.deepEqual([...keysOf(first), ...keysOf(rest)], KEYS);
      },
    );

    await lane.check(
      `${operation} --delimiter / groups keys into common prefixes, page by page`,
      async () => {
        const page = await list({ delimiter: '/', pageSize: 2 });
        assert.deepEqual(
          keysOf(page),
          KEYS.filter((key) => !key.includes('/')),
        );
        const folders = page.CommonPrefixes?.map(({ Prefix }) => Prefix);
        assert.deepEqual(folders, ['folder a/', 'folder+b/', 'ümläut/']);
      },
    );

    await lane.check(`${operation} --prefix returns only the keys with the prefix`, async () => {
      assert.deepEqual(keysOf(await list({ prefix: 'folder+b/' })), ['folder+b/1']);
      assert.deepEqual(keysOf(await list({ prefix: 'nothing' })), []);
    });
  }

  await lane.check(
    'list-objects --marker and list-objects-v2 --start-after list only later keys',
    async () => {
      const after = 'folder+b/1';
      const v1 = await aws.api<Page>('list-objects', { bucket, marker: after });
      const v2 = await aws.api<Page>('list-objects-v2', { bucket, startAfter: after });
      assert.deepEqual([keysOf(v1), keysOf(v2)], [KEYS.slice(-2), KEYS.slice(-2)]);
    },
  );

  await lane.check('list-objects-v2 --fetch-owner returns the owner of each object', async () => {
    type Owned = { Contents: { Owner?: { ID: string } }[] };
    const { Contents } = await aws.api<Owned>('list-objects-v2', { bucket, fetchOwner: true });
    assert.ok(Contents.every(({ Owner }) => Owner?.ID));
  });
}

const keysOf = ({ Contents = [] }: Page): string[] => Contents.map(({ Key }) => Key);
