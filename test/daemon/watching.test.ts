/**
 * Tests of changes in a folder that the daemon watches, and of the resulting `status` and `s3
 * versions`.
 */

import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { JobStatus } from '../../src/control/shapes.ts';
import { startDaemonHere, type DaemonHere } from '../helpers/daemon-here.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { makeTree } from '../helpers/tree.ts';
import { until } from '../helpers/until.ts';

const BUCKET = 'docs';

async function watchedFolder(files: number) {
  const folder = temporaryFolder('hf-watch');
  const root = join(folder, BUCKET);
  const home = join(folder, 'home');
  mkdirSync(root);
  makeTree(root, files);
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  await daemon.client.call('jobs.add', { folder: root });
  await daemon.client.call('jobs.settled', { name: BUCKET });
  return { folder, root, home, daemon };
}

async function statusOf({ client }: DaemonHere): Promise<JobStatus> {
  const { jobs } = await client.call('status', {});
  if (!jobs[0]) throw new Error('read status: no job exists');
  return jobs[0];
}

/**
 * Returns the versions below `prefix`, newest first: `v` for a version and `x` for a delete marker.
 */
async function history({ client }: DaemonHere, prefix: string): Promise<string> {
  const { versions } = await client.call('versions.list', { bucket: BUCKET, prefix });
  return versions.map(({ kind }) => (kind === 'version' ? 'v' : 'x')).join('');
}

type Counts = Partial<JobStatus['counts']>;

/**
 * Steps of the test. Each step moves complete files into the folder, because the daemon could
 * upload a file that is only half written. A step changes the counts of the job: `made` is the
 * number of new versions, `deleted` the number of new delete markers, and `files` the total number
 * of files.
 */
const STEPS: readonly {
  readonly what: string;
  readonly act: (root: string, folder: string) => void;
  readonly made: number;
  readonly deleted: number;
  readonly files: number;
}[] = [
  {
    what: 'an edit',
    act: (root) => {
      const file = openSync(join(root, 'folder 0/file-1.txt'), 'r+');
      writeSync(file, 'edited');
      closeSync(file);
    },
    made: 1,
    deleted: 0,
    files: 100,
  },
  {
    what: 'a new file in a new folder',
    act: (root, folder) => {
      mkdirSync(join(folder, 'new/deep'), { recursive: true });
      writeFileSync(join(folder, 'new/deep/file'), 'new');
      renameSync(join(folder, 'new'), join(root, 'new'));
    },
    made: 1,
    deleted: 0,
    files: 101,
  },
  {
    what: 'a rename',
    act: (root) => renameSync(join(root, 'folder 0/file-2.txt'), join(root, 'folder 1/moved')),
    made: 1,
    deleted: 1,
    files: 101,
  },
  {
    what: 'a delete',
    act: (root) => rmSync(join(root, 'folder 0/file-3.txt')),
    made: 0,
    deleted: 1,
    files: 100,
  },
  {
    what: 'a folder of 1,000 files moved in',
    act: (root, folder) => renameSync(join(folder, 'elsewhere'), join(root, 'moved in')),
    made: 1_000,
    deleted: 0,
    files: 1_100,
  },
  {
    what: 'a folder of 1,000 files renamed',
    act: (root) => renameSync(join(root, 'moved in'), join(root, 'moved on')),
    made: 1_000,
    deleted: 1_000,
    files: 1_100,
  },
  {
    what: 'a change of mode',
    act: (root) => chmodSync(join(root, 'folder 0/file-4.txt'), 0o755),
    made: 1,
    deleted: 0,
    files: 1_100,
  },
  {
    what: 'a file replaced by a folder',
    act: (root, folder) => {
      mkdirSync(join(folder, 'prepared'));
      writeFileSync(join(folder, 'prepared/inside'), 'inside');
      rmSync(join(root, 'folder 0/file-5.txt'));
      renameSync(join(folder, 'prepared'), join(root, 'folder 0/file-5.txt'));
    },
    made: 1,
    deleted: 1,
    files: 1_100,
  },
  {
    what: 'and back',
    act: (root, folder) => {
      writeFileSync(join(folder, 'prepared'), 'a file again');
      renameSync(join(root, 'folder 0/file-5.txt'), join(folder, 'away'));
      renameSync(join(folder, 'prepared'), join(root, 'folder 0/file-5.txt'));
    },
    made: 1,
    deleted: 1,
    files: 1_100,
  },
  {
    what: 'a file replaced by a link, as editors and package managers do',
    act: (root, folder) => {
      symlinkSync('file-7.txt', join(folder, 'link'));
      renameSync(join(folder, 'link'), join(root, 'folder 0/file-6.txt'));
    },
    made: 1,
    deleted: 0,
    files: 1_099,
  },
  {
    what: 'a folder moved away with all in it',
    act: (root, folder) => renameSync(join(root, 'new'), join(folder, 'new')),
    made: 0,
    deleted: 1,
    files: 1_098,
  },
];

describe('a watched folder', () => {
  it('the daemon uploads each change of a watched folder after the file event, without scanning the whole folder', async () => {
    const { folder, root, home, daemon } = await watchedFolder(100);
    mkdirSync(join(folder, 'elsewhere'));
    makeTree(join(folder, 'elsewhere'), 1_000);
    const { counts } = await statusOf(daemon);
    let [uploadedVersions, deleted] = [counts.uploadedVersions, 0];
    for (const { what, act, ...expected } of STEPS) {
      act(root, folder);
      uploadedVersions += expected.made;
      deleted += expected.deleted;
      const wanted: Counts = { uploadedVersions, deleted, files: expected.files, problems: 0 };
      const { job } = await until(
        async () => ({ what, wanted, job: await statusOf(daemon) }),
        (reached) => reached.job.inSync && agrees(reached.job.counts, wanted),
      );
      expect({ what, ...job }).toMatchObject({
        what,
        lagMs: 0,
        lastRound: expect.stringMatching(/^event round/) as string,
      });
    }
    const { lines } = await daemon.client.call('log.tail', { lines: 1_000 });
    const ofCopies = lines.filter((line) => line.includes('"action":"copy"'));
    expect(ofCopies).toEqual([
      expect.stringMatching(/"job":"docs".*"1,000 files: [\d.]+ kB copied/),
    ]);
    expect(lines.filter((line) => line.includes('moved on'))).toEqual([]);
    const { problems, inSync } = await statusOf(daemon);
    expect({ problems, inSync }).toEqual({ problems: [], inSync: true });
    expect(await history(daemon, 'folder 0/file-1.txt')).toBe('vv');
    expect(await history(daemon, 'folder 0/file-2.txt')).toBe('xv');
    expect(await history(daemon, 'folder 0/file-5.txt')).toBe('vxvxv');
    expect(await history(daemon, 'new/deep/file')).toBe('xv');
    const shown = await runCliHere([
      's3',
      'versions',
      `${BUCKET}/folder 0/file-3.txt`,
      '--home',
      home,
    ]);
    expect(shown.stdout).toMatch(
      / {2}deleted {2}\S+ {2}folder 0\/file-3\.txt\n.* {2}\S+ {2}folder 0\/file-3/,
    );
  });

  it('a job on the parent folder of the home stays in sync while the log of the daemon grows', async () => {
    const folder = temporaryFolder('hf-parent');
    const home = join(folder, '.holdfast-home');
    makeTree(join(folder, 'work'), 20);
    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    const { job } = await daemon.client.call('jobs.add', { folder, bucket: BUCKET });
    const settled = await daemon.client.call('jobs.settled', { name: job.name });
    expect(settled.job.counts).toMatchObject({ files: 20, uploadedVersions: 20, problems: 0 });
    const quiet = await until(
      () => statusOf(daemon),
      ({ inSync }) => inSync,
    );
    // Each iteration changes the home of the daemon. The job excludes the home, so the change must
    // not start a round.
    for (let look = 0; look < 20; look += 1) {
      appendFileSync(join(home, 'state/holdfast.log'), '{"msg":"grows"}\n');
      await daemon.client.call('buckets.create', {
        bucket: `other-${look}`,
        versioning: false,
        objectLock: false,
      });
      expect(await statusOf(daemon)).toEqual(quiet);
    }
    writeFileSync(join(home, 'after'), 'still watched');
    renameSync(join(home, 'after'), join(folder, 'work/after'));
    const woken = await until(
      () => statusOf(daemon),
      ({ inSync, counts }) => inSync && counts.files === 21,
    );
    expect(woken.counts.uploadedVersions).toBe(21);
    const { objects } = await daemon.client.call('objects.list', { bucket: BUCKET });
    expect(objects.filter(({ key }) => key.startsWith('.holdfast-home'))).toEqual([]);
  });
});

function agrees(counts: JobStatus['counts'], wanted: Counts): boolean {
  return Object.entries(wanted).every(([name, value]) => Reflect.get(counts, name) === value);
}
