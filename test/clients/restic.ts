/** Checks of restic with a repository in a bucket, from `init` to `prune`. */

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { assertSameTree, bytesOf, MIB, writeContent, writeHardTree, writeTree } from './content.ts';
import type { Lane } from './lane.ts';
import type { Service } from './service.ts';

export function resticEnvironment(service: Service, folder: string): NodeJS.ProcessEnv {
  return {
    AWS_ACCESS_KEY_ID: service.accessKeyId,
    AWS_SECRET_ACCESS_KEY: service.secretAccessKey,
    AWS_DEFAULT_REGION: service.region,
    RESTIC_PASSWORD: 'correct horse battery staple',
    RESTIC_CACHE_DIR: join(folder, 'cache'),
    RESTIC_PROGRESS_FPS: '0',
  };
}

interface Snapshot {
  readonly id: string;
  readonly paths: readonly string[];
}

export async function resticChecks(lane: Lane): Promise<void> {
  const repository = `s3:${lane.service.endpoint}/${lane.bucketName('repository')}/nested/path`;
  const { caFile } = lane.service;
  const line = ['--repo', repository, ...(caFile === undefined ? [] : ['--cacert', caFile])];
  const restic = async (...args: string[]): Promise<string> =>
    (await lane.run(lane.tool.path, [...line, ...args], { cwd: lane.folder })).toString();
  const snapshots = async (): Promise<Snapshot[]> =>
    JSON.parse(await restic('snapshots', '--json')) as Snapshot[];
  const tree = lane.path('tree');
  const first = lane.path('first');

  await lane.check('init creates the bucket and the repository', async () => {
    await restic('init');
  });

  await lane.check('init fails if the repository exists', async () => {
    assert.match(await lane.fails(lane.tool.path, [...line, 'init']), /already/);
  });

  await lane.check('backup stores a directory tree', async () => {
    for (const root of [tree, first]) {
      writeTree(root);
      writeHardTree(join(root, 'hard'));
      writeContent(join(root, 'large'), bytesOf(40 * MIB, 4));
    }
    await restic('backup', 'tree');
  });

  await lane.check('a second backup reports one new file', async () => {
    rmSync(join(tree, 'folder 0'), { recursive: true });
    writeContent(join(tree, 'new'), bytesOf(3 * MIB, 5));
    assert.match(await restic('backup', 'tree'), /Files: +1 new/);
  });

  await lane.check('snapshots lists both backups', async () => {
    assert.equal((await snapshots()).length, 2);
  });

  await lane.check('check --read-data finds no errors', async () => {
    assert.match(await restic('check', '--read-data'), /no errors were found/);
  });

  for (const [which, index, original] of [
    ['first', 0, first],
    ['second', 1, tree],
  ] as const) {
    await lane.check(`restore restores the files of the ${which} backup`, async () => {
      const id = (await snapshots())[index]?.id ?? '';
      await restic('restore', id, '--target', lane.path(`restored-${which}`));
      assertSameTree(lane.path(`restored-${which}`, 'tree'), original);
    });
  }

  await lane.check('dump prints a file, and find finds a file by its name', async () => {
    assert.equal(await restic('dump', 'latest', '/tree/hard/plus+sign.txt'), '1: plus+sign.txt');
    assert.match(await restic('find', '日本語.txt'), /tree\/hard\/日本語\.txt/);
  });

  await lane.check('stats, ls and list read the repository', async () => {
    assert.match(await restic('stats', 'latest'), /Total Size/);
    assert.match(await restic('ls', 'latest'), /\/tree\/new$/m);
    assert.match(await restic('list', 'packs'), /^[0-9a-f]{64}$/m);
  });

  await lane.check('snapshots rejects a wrong password, and unlock succeeds', async () => {
    const said = await lane.fails('env', [
      'RESTIC_PASSWORD=wrong',
      lane.tool.path,
      ...line,
      'snapshots',
    ]);
    assert.match(said, /wrong password/);
    await restic('unlock');
  });

  await lane.check('forget --prune removes the first backup', async () => {
    await restic('forget', '--keep-last', '1', '--prune');
    assert.equal((await snapshots()).length, 1);
  });

  await lane.check('prune succeeds in a repository without unused data', async () => {
    await restic('prune', '--max-unused', '0');
  });

  await lane.check('check and restore of the last backup succeed after prune', async () => {
    assert.match(await restic('check', '--read-data'), /no errors were found/);
    await restic('restore', 'latest', '--target', lane.path('restored-last'));
    assertSameTree(lane.path('restored-last', 'tree'), tree);
  });
}
