/** Checks of s3fs with common file tools. s3fs mounts a bucket as a folder. */

import assert from 'node:assert/strict';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorMessage } from '../../src/base/errors.ts';
import { makeBucket } from './bucket.ts';
import { runCommand } from './command.ts';
import { bytesOf, HARD_NAMES, MIB, writeContent, writeHardTree, writeTree } from './content.ts';
import type { Lane } from './lane.ts';
import { virtualEndpoint } from './service.ts';
import type { Service } from './service.ts';

export function s3fsEnvironment(service: Service, folder: string): NodeJS.ProcessEnv {
  // The usual form of the password file ends the access key id at its first colon, and Holdfast key
  // ids contain colons. This form allows colons.
  const password = [
    `AWSAccessKeyId=${service.accessKeyId}`,
    `AWSSecretKey=${service.secretAccessKey}`,
  ];
  writeContent(join(folder, 'password'), `${password.join('\n')}\n`, 0o600);
  return service.caFile === undefined ? {} : { CURL_CA_BUNDLE: service.caFile };
}

export async function s3fsChecks(lane: Lane): Promise<void> {
  const reason = whyNot();
  if (reason !== undefined)
    return lane.skip('s3fs reads and writes files in a mounted bucket', reason);
  const { service } = lane;
  const bucket = lane.bucketName('mounted');
  const mounted = lane.path('mounted');
  mkdirSync(mounted, { recursive: true });
  const tool = (command: string, ...args: string[]): Promise<string> =>
    lane.run(command, args, { cwd: mounted }).then(String);
  const options = [
    `passwd_file=${lane.path('password')}`,
    `endpoint=${service.region}`,
    // s3fs uses CURL_CA_BUNDLE only from its second attempt on, so it needs retries.
    'retries=3',
    `logfile=${lane.path('s3fs.log')}`,
  ];
  const mountAt = (...style: string[]): Promise<unknown> => {
    const given = [...style, ...options].flatMap((each) => ['-o', each]);
    return lane.run(lane.tool.path, [bucket, mounted, ...given]);
  };
  const mount = () => mountAt(`url=${service.endpoint}`, 'use_path_request_style');
  const unmount = (): Promise<unknown> => lane.run('fusermount', ['-u', mounted]);
  await makeBucket(service, bucket);

  try {
    const isMounted = await lane.check('s3fs mounts the bucket', async () => {
      await mount();
      assert.equal(await tool('stat', '--file-system', '--format=%T', mounted), 'fuseblk\n');
    });
    // Without the mount, the checks would use the local folder and pass.
    if (!isMounted) return;
    await checkFolder(lane, tool);
    await lane.check('files are unchanged after the bucket is mounted again', async () => {
      await unmount();
      await mount();
      await tool('diff', '--recursive', lane.path('tree'), 'tree');
      await tool('cmp', lane.path('large'), 'large');
    });
    await lane.check('s3fs mounts a bucket with virtual-hosted-style requests', async () => {
      await unmount();
      await mountAt(`url=${virtualEndpoint(service)}`);
      await tool('cmp', lane.path('large'), 'large');
      await tool('sh', '-c', 'printf virtual > virtual');
      assert.equal(await tool('cat', 'virtual'), 'virtual');
    });
    await lane.check('find -delete leaves an empty folder', async () => {
      await tool('find', '.', '-mindepth', '1', '-delete');
      assert.equal(await tool('ls', '-A'), '');
    });
    await lane.check('fusermount -u unmounts the bucket', async () => {
      await unmount();
      assert.notEqual(
        await lane.run('stat', ['--file-system', '--format=%T', mounted]).then(String),
        'fuseblk\n',
      );
    });
  } finally {
    // After a failure or an interrupt, the bucket may still be mounted. It must be unmounted before
    // its folder can be removed.
    await runCommand('fusermount', ['-u', '-z', mounted], { env: process.env });
  }
}

type Run = (command: string, ...args: string[]) => Promise<string>;

async function checkFolder(lane: Lane, tool: Run): Promise<void> {
  await lane.check('a small file can be written, read and listed', async () => {
    writeFileSync(lane.path('small'), 'hello');
    await tool('cp', lane.path('small'), 'small');
    assert.equal(await tool('cat', 'small'), 'hello');
    assert.equal(await tool('stat', '--format=%s %n', 'small'), '5 small\n');
    assert.equal(await tool('ls'), 'small\n');
  });

  await lane.check('a file can be appended to and truncated', async () => {
    await tool('sh', '-c', 'printf " world" >> small');
    assert.equal(await tool('cat', 'small'), 'hello world');
    await tool('truncate', '--size=4', 'small');
    assert.equal(await tool('cat', 'small'), 'hell');
  });

  await lane.check('mkdir creates folders, and mv renames a file and a folder', async () => {
    await tool('mkdir', '-p', 'a/b');
    await tool('mv', 'small', 'a/b/moved');
    await tool('mv', 'a', 'c');
    assert.equal(await tool('cat', 'c/b/moved'), 'hell');
    assert.equal(await tool('find', '.', '-mindepth', '1'), './c\n./c/b\n./c/b/moved\n');
  });

  await lane.check('chmod and touch change the mode and modification time of a file', async () => {
    await tool('chmod', '640', 'c/b/moved');
    await tool('touch', '--date=2001-02-03T04:05:06Z', 'c/b/moved');
    assert.equal(await tool('stat', '--format=%a %Y', 'c/b/moved'), '640 981173106\n');
  });

  await lane.check('a symbolic link can be created and followed', async () => {
    await tool('ln', '-s', 'c/b/moved', 'link');
    assert.equal(await tool('readlink', 'link'), 'c/b/moved\n');
    assert.equal(await tool('cat', 'link'), 'hell');
  });

  await lane.check('a large file is uploaded in parts and read back unchanged', async () => {
    writeContent(lane.path('large'), bytesOf(45 * MIB + 1, 6));
    await tool('cp', lane.path('large'), 'large');
    await tool('cmp', lane.path('large'), 'large');
  });

  await lane.check('mv of a large file copies it in parts', async () => {
    await tool('mv', 'large', 'large moved');
    await tool('cmp', lane.path('large'), 'large moved');
    await tool('mv', 'large moved', 'large');
  });

  await lane.check('a write in the middle of a large file changes only those bytes', async () => {
    for (const file of ['large', lane.path('large')])
      await tool(
        'sh',
        '-c',
        'printf changed | dd of="$1" bs=1 seek=20000000 conv=notrunc',
        'sh',
        file,
      );
    await tool('cmp', lane.path('large'), 'large');
  });

  await lane.check('cp -r copies a directory tree into the bucket unchanged', async () => {
    writeTree(lane.path('tree'));
    await tool('cp', '-r', lane.path('tree'), 'tree');
    await tool('diff', '--recursive', lane.path('tree'), 'tree');
  });

  await lane.check(
    `cp -r copies ${HARD_NAMES.length} files with difficult names unchanged`,
    async () => {
      writeHardTree(lane.path('hard'));
      await tool('cp', '-r', lane.path('hard'), 'hard');
      await tool('diff', '--recursive', lane.path('hard'), 'hard');
    },
  );

  await lane.check('rmdir refuses a folder with files', async () => {
    assert.match(await lane.fails('rmdir', [lane.path('mounted', 'tree')]), /not empty/);
  });
}

/**
 * Returns the reason why no file system can be mounted on this computer, or undefined if mounting
 * is possible.
 */
function whyNot(): string | undefined {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return `s3fs mounts by FUSE: ${errorMessage(error)}`;
  }
}
