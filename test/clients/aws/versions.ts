/** Checks of versions, delete markers and restored versions with `aws s3api`. */

import assert from 'node:assert/strict';

import { assertSameBytes, writeContent } from '../content.ts';
import type { Aws, Options } from './aws.ts';

interface Entry {
  readonly Key: string;
  readonly VersionId: string;
  readonly IsLatest: boolean;
}

interface Page {
  readonly Versions?: readonly Entry[];
  readonly DeleteMarkers?: readonly Entry[];
  readonly NextToken?: string;
}

export async function checkVersions(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('versions');
  const object = { bucket, key: 'key' };
  const list = (options: Options = {}) =>
    aws.api<Page>('list-object-versions', { bucket, ...options });
  const put = async (text: string, key = 'key'): Promise<string | undefined> => {
    const body = lane.path('version');
    writeContent(body, text);
    return (await aws.api<{ VersionId?: string }>('put-object', { bucket, key, body })).VersionId;
  };
  const setVersioning = (Status: string) =>
    aws.api('put-bucket-versioning', { bucket, versioningConfiguration: { Status } });
  const texts = ['one', 'two', 'three'];
  const ids: string[] = [];

  await lane.check(
    'put-bucket-versioning enables versioning, and get-bucket-versioning returns Enabled',
    async () => {
      await aws.api('create-bucket', { bucket });
      assert.deepEqual(await aws.api('get-bucket-versioning', { bucket }), {});
      assert.equal(await put('before', 'old'), undefined);
      await setVersioning('Enabled');
      assert.deepEqual(await aws.api('get-bucket-versioning', { bucket }), { Status: 'Enabled' });
    },
  );

  await lane.check(
    'each put-object creates a version, and list-object-versions lists the newest first',
    async () => {
      for (const text of texts) ids.push((await put(text)) ?? '');
      const { Versions } = await list({ prefix: 'key' });
      assert.deepEqual(
        Versions?.map(({ VersionId }) => VersionId),
        ids.toReversed(),
      );
      assert.deepEqual(
        Versions?.map(({ IsLatest }) => IsLatest),
        [true, false, false],
      );
    },
  );

  await lane.check('get-object and head-object --version-id read each version', async () => {
    for (const [index, versionId] of ids.entries()) {
      const text = texts[index] ?? '';
      assertSameBytes(await aws.read({ ...object, versionId }), text);
      const { VersionId, ContentLength } = await aws.api('head-object', { ...object, versionId });
      assert.deepEqual([VersionId, ContentLength], [versionId, text.length]);
    }
  });

  await lane.check(
    'an object stored before versioning was enabled is the null version',
    async () => {
      const { Versions } = await list({ prefix: 'old' });
      assert.deepEqual(
        Versions?.map(({ VersionId }) => VersionId),
        ['null'],
      );
      assertSameBytes(await aws.read({ bucket, key: 'old', versionId: 'null' }), 'before');
    },
  );

  await lane.check('list-object-versions returns the same versions page by page', async () => {
    const { Versions = [] } = await list();
    assert.deepEqual((await list({ pageSize: 1 })).Versions, Versions);
    const first = await list({ maxItems: 2, pageSize: 1 });
    const rest = await list({ startingToken: first.NextToken ?? '' });
    assert.deepEqual([...(first.Versions ?? []), ...(rest.Versions ?? [])], Versions);
  });

  await checkDeleteMarker(aws, bucket);

  await lane.check(
    'copy-object of an old version onto its own key restores its content',
    async () => {
      const copySource = `${bucket}/key?versionId=${ids[0]}`;
      const { CopySourceVersionId } = await aws.api('copy-object', { ...object, copySource });
      assert.equal(CopySourceVersionId, ids[0]);
      assertSameBytes(await aws.read(object), 'one');
    },
  );

  await lane.check('delete-object --version-id removes one version permanently', async () => {
    const second = { ...object, versionId: ids[1] ?? '' };
    await aws.api('delete-object', second);
    await aws.refused('NoSuchVersion', 'get-object', second);
    assertSameBytes(await aws.read(object), 'one');
  });

  await lane.check(
    'put-object replaces only the null version while versioning is suspended',
    async () => {
      await setVersioning('Suspended');
      assert.equal(await put('null one'), 'null');
      assert.equal(await put('null two'), 'null');
      assertSameBytes(await aws.read(object), 'null two');
      assertSameBytes(await aws.read({ ...object, versionId: ids[0] ?? '' }), 'one');
      const { Versions = [] } = await list({ prefix: 'key' });
      assert.equal(Versions.filter(({ VersionId }) => VersionId === 'null').length, 1);
    },
  );

  await lane.check('delete-bucket fails while the bucket contains a version', async () => {
    await aws.refused('BucketNotEmpty', 'delete-bucket', { bucket });
  });

  await lane.check('delete-objects with version IDs empties the bucket', async () => {
    await aws.api('delete-object', object);
    const { Versions = [], DeleteMarkers = [] } = await list();
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({
      Key,
      VersionId,
    }));
    type Answer = { Deleted: unknown[] };
    const { Deleted } = await aws.api<Answer>('delete-objects', { bucket, delete: { Objects } });
    assert.equal(Deleted.length, Objects.length);
    await aws.api('delete-bucket', { bucket });
  });
}

async function checkDeleteMarker(aws: Aws, bucket: string): Promise<void> {
  const { lane } = aws;
  const object = { bucket, key: 'key' };
  let versionId = '';

  await lane.check('delete-object creates a delete marker and hides the object', async () => {
    const answer = await aws.api<{ DeleteMarker: boolean; VersionId: string }>(
      'delete-object',
      object,
    );
    assert.equal(answer.DeleteMarker, true);
    versionId = answer.VersionId;
    await aws.refused('NoSuchKey', 'get-object', object);
    await aws.refused('404', 'head-object', object);
    assert.ok(!(await aws.s3('ls', `s3://${bucket}/`)).includes(' key\n'));
  });

  await lane.check(
    'list-object-versions lists the delete marker as the latest version',
    async () => {
      const { DeleteMarkers = [] } = await aws.api<Page>('list-object-versions', { bucket });
      const returned = DeleteMarkers.map(({ VersionId, IsLatest }) => ({ VersionId, IsLatest }));
      assert.deepEqual(returned, [{ VersionId: versionId, IsLatest: true }]);
    },
  );

  await lane.check(
    'get-object --version-id of a delete marker fails with MethodNotAllowed',
    async () => {
      await aws.refused('MethodNotAllowed', 'get-object', { ...object, versionId });
    },
  );

  await lane.check(
    'delete-object --version-id of a delete marker restores the object',
    async () => {
      const { DeleteMarker, VersionId } = await aws.api('delete-object', { ...object, versionId });
      assert.deepEqual([DeleteMarker, VersionId], [true, versionId]);
      assertSameBytes(await aws.read(object), 'three');
    },
  );
}
