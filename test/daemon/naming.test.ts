/**
 * Tests of how commands find the object for an argument: a local path, `TARGET:BUCKET/KEY`, or a
 * name with `~N`.
 */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { atTarget, type Place } from '../../daemon/handlers/buckets/at-target.ts';
import { historyHandlers } from '../../daemon/handlers/jobs/history.ts';
import { objectHandlers } from '../../daemon/handlers/buckets/objects.ts';
import { storageHandlers } from '../../daemon/handlers/buckets/storage.ts';
import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import { EventLog } from '../../daemon/control/event-log.ts';
import { Restores } from '../../daemon/restores/restores.ts';
import type { JobConfig } from '../../src/config/config.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { METHODS } from '../../src/control/messages.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { declaredProgram } from '../helpers/declared-program.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { daemonStatus, jobStatus } from '../helpers/job-status.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { TEST_USER } from '../helpers/test-engine.ts';

const clock = new FakeClock();
let dir: string;
let engine: Engine;
let store: ObjectStore;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'naming-'));
  engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
  store = engine.as(internalCaller(TEST_USER, clock.now()));
  for (const bucket of ['backup', 'papers', 'plain']) {
    await store.createBucket({ bucket });
    await store.putVersioning({ bucket, versioning: 'Enabled' });
  }
  await put('backup', 'docs/plan.txt', 'v1', 'v2', 'v3, current');
  await put('backup', 'docs/both.txt', 'of the file');
  await put('backup', 'docs/gone.txt', 'gone');
  await put('backup', 'docs/letters/ann', 'dear ann');
  await put('backup', 'docs/plan.txt.bak', 'another key');
  await put('backup', 'docs/again.txt', 'before');
  await store.deleteObject({ bucket: 'backup', key: 'docs/again.txt' });
  await put('backup', 'docs/again.txt', 'after');
  await store.deleteObject({ bucket: 'backup', key: 'docs/gone.txt' });
  await put('papers', 'both.txt', 'of the object');
  await put('papers', 'a', 'one', 'two');
  await put('papers', 'a~1', 'its name ends in ~1');
  await put('papers', 'b:c', 'its name has a colon');
  await store.deleteObject({ bucket: 'papers', key: 'a' });
  await put('papers', 'a', 'three');
});

afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true });
});

async function put(bucket: string, key: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await store.putObject({ bucket, key, body: bytesBody(text) });
}

/** Returns the job list of a daemon. The list contains this job once for each target. */
function jobsOf(job: Pick<JobConfig, 'name' | 'folder' | 'bucket' | 'prefix'>) {
  const targets = { docs: 'local', 'docs@eu': 'eu' };
  const jobs = Object.entries(targets).map(([name, target]) => {
    const config = { ...job, name, target } as JobConfig;
    return { config, store: () => store, opened: undefined };
  });
  const find = (test: (job: JobConfig) => boolean) => jobs.find(({ config }) => test(config));
  const get = (name: string) => {
    const found = find((each) => each.name === name);
    if (!found) throw new ControlError('NotFound', `unknown job "${name}"`);
    return found;
  };
  return { find, get, all: () => jobs };
}

function restoresOf(stateDir: string): Restores {
  const events = new EventLog({ clock });
  return new Restores({ events, ownFolders: [], stateDir, clock, logger: silentLogger });
}

/**
 * Creates a job that backs up the folder `papers` to backup/docs/, and to the same bucket of the
 * target `eu`. Also creates an unrelated bucket `papers`.
 */
async function desk() {
  const cwd = temporaryFolder();
  const job = { name: 'docs', folder: join(cwd, 'papers'), bucket: 'backup', prefix: 'docs/' };
  const asked: (string | undefined)[] = [];
  const place = (target?: string): Place => {
    asked.push(target);
    return { store };
  };
  const logger = silentLogger;
  const { socketPath } = await controlFixture(({ streams }) => ({
    status: async () =>
      daemonStatus(jobStatus(job), jobStatus({ ...job, name: 'docs@eu', target: 'eu' })),
    'jobs.explain': async () => ({ job: 'docs', path: '' }),
    ...historyHandlers({ jobs: jobsOf(job), restores: restoresOf(cwd), streams, clock }),
    ...atTarget(place, {
      ...storageHandlers(streams, logger),
      ...objectHandlers({ logger, clock, onCopyProgress: () => undefined }),
    }),
  }));
  for (const file of ['plan.txt', 'both.txt', 'letters/ann', 'only local.txt']) {
    mkdirSync(dirname(join(cwd, 'papers', file)), { recursive: true });
    writeFileSync(join(cwd, 'papers', file), '');
  }
  const env = { HOLDFAST_HOME: dirname(socketPath) };
  const runIn = (folder: string, ...argv: readonly string[]) =>
    runCli(argv, { env, cwd: join(cwd, folder) });
  const run = (...argv: readonly string[]) => runIn('', ...argv);
  const bytes = async (...argv: readonly string[]) => {
    const { stdout, stderr } = await run('s3', 'get', ...argv, '-');
    return stdout + stderr;
  };
  const targetsOf = async (...argv: readonly string[]) => {
    asked.length = 0;
    await run(...argv);
    return [...asked];
  };
  return { cwd, run, runIn, bytes, targetsOf };
}

describe('a local path as an argument', () => {
  it.each(['./papers/plan.txt', 'papers/plan.txt'])(
    'the argument %s selects the object of that file in the destination of its job',
    async (typed) => {
      const { bytes } = await desk();
      expect(await bytes(typed)).toBe('v3, current');
    },
  );

  it('a path through a symbolic link to the folder of a job selects the object of the file', async () => {
    const { cwd, bytes } = await desk();
    symlinkSync('papers', join(cwd, 'link'));
    expect(await bytes('./link/plan.txt')).toBe('v3, current');
  });

  it('`s3 versions` of a path lists the versions of that file, and no versions of longer names', async () => {
    const { run } = await desk();
    const { stdout, stderr } = await run('s3', 'versions', './papers/plan.txt');
    expect(stdout.match(/docs\/.*/g)).toEqual(Array(3).fill('docs/plan.txt'));
    expect(stderr).toContain('versions of backup/docs/plan.txt (job docs)');
  });

  it('`s3 ls` of a local folder lists the objects of that folder', async () => {
    const { run } = await desk();
    expect((await run('s3', 'ls', './papers/letters')).stdout).toMatch(/ {2}ann\n$/);
  });

  it('`s3 tag` with a local path sets and reads the tags of the object of that file', async () => {
    const { run } = await desk();
    await run('s3', 'tag', 'set', './papers/letters/ann', 'kind=letter');
    expect((await run('s3', 'tag', 'get', 'backup/docs/letters/ann')).stdout).toBe('kind=letter\n');
  });

  it('--target selects one of several targets to which a folder is backed up', async () => {
    const { targetsOf } = await desk();
    expect(await targetsOf('s3', 'info', './papers/plan.txt')).toEqual([undefined]);
    expect(await targetsOf('s3', 'info', './papers/plan.txt', '--target=eu')).toEqual(['eu']);
  });

  it('a command refuses a path that no job backs up', async () => {
    const { run } = await desk();
    const { exitCode, stderr } = await run('s3', 'info', './elsewhere');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('cannot find the object of ./elsewhere: no job backs it up'),
    ]);
  });

  it('a path that begins with ./ selects a removed file, and the error for the same name without ./ suggests the path', async () => {
    const { cwd, run, runIn } = await desk();
    expect((await run('s3', 'versions', './papers/gone.txt')).stdout).toMatch(/deleted/);
    const { exitCode, stderr } = await runIn('papers', 's3', 'get', 'letters/bob', '-');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('bucket letters does not exist; letters/bob is a local path of job'),
    ]);
    expect(stderr).toContain(`to name the path: ${join(cwd, 'papers/letters/bob')}`);
  });

  it('`s3 rm` of a local path is refused on every target, because the object is the backup of a job', async () => {
    const { run } = await desk();
    for (const at of [[], ['--target', 'eu']]) {
      const { exitCode, stderr } = await run('s3', 'rm', './papers/plan.txt', '--yes', ...at);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/job docs.* keeps the backup/)]);
    }
  });
});

describe('an argument that is both a local path and an object', () => {
  it('if an argument is both a path and an object, a command that only reads uses the object and prints how to write the path', async () => {
    const { run } = await desk();
    expect(await run('s3', 'get', 'papers/both.txt', '-')).toEqual({
      exitCode: 0,
      stdout: 'of the object',
      stderr:
        '"papers/both.txt" is both a path of job docs and an object: the object is used; for the path: ./papers/both.txt\n',
    });
  });

  it('if an argument is both a path and an object, `history` uses the path and prints how to write the object', async () => {
    const { run } = await desk();
    const { stdout, stderr } = await run('history', 'papers/both.txt');
    expect(stdout).toContain('other client');
    expect(stderr).toContain('versions of both.txt (job docs)');
    expect(stderr).toContain('the path is used; for the object: local:papers/both.txt');
  });

  it.each([
    ['s3', 'tag', 'set', 'papers/both.txt', 'a=b'],
    ['s3', 'meta', 'set', 'papers/both.txt', 'a=b'],
    ['s3', 'rm', 'papers/both.txt', '--yes'],
    ['s3', 'link', 'papers/both.txt'],
    ['lock', 'retention', 'set', 'papers/both.txt', '--mode', 'GOVERNANCE', '--for', '1d'],
    ['lock', 'hold', 'on', 'papers/both.txt'],
  ])(
    '`%s %s %s` changes nothing if the argument is both a path and an object, and prints both spellings',
    async (...argv) => {
      const { run } = await desk();
      const { exitCode, stdout, stderr } = await run(...argv);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        'for the path: ./papers/both.txt; for the object: local:papers/both',
      );
    },
  );

  it.each([
    ['./papers/both.txt', 'of the file'],
    ['local:papers/both.txt', 'of the object'],
    ['local:papers/b:c', 'its name has a colon'],
  ])('the argument %s has only one meaning', async (typed, content) => {
    const { bytes } = await desk();
    expect(await bytes(typed)).toBe(content);
  });

  it('with --target, a name that does not begin with ./ always selects an object', async () => {
    const { bytes } = await desk();
    expect(await bytes('papers/both.txt', '--target', 'local')).toBe('of the object');
  });
});

describe('names with ~N for older versions', () => {
  it.each([
    ['./papers/plan.txt', 'v3, current'],
    ['papers/plan.txt~0', 'v3, current'],
    ['papers/plan.txt~1', 'v2'],
    ['papers/plan.txt~2', 'v1'],
    ['backup/docs/plan.txt~2', 'v1'],
    ['local:papers/a~2', 'two'],
    ['papers/a~1~0', 'its name ends in ~1'],
  ])('`s3 get %s` reads the content %j', async (typed, content) => {
    const { bytes } = await desk();
    expect(await bytes(typed)).toBe(content);
  });

  it('`s3 cp` with ~N copies an earlier version of an object', async () => {
    const { run } = await desk();
    const { stdout } = await run('s3', 'cp', 'backup/docs/plan.txt~2', 'plain/copy');
    expect(stdout).toContain('copied 1 object, 2 B');
  });

  it('`history` and `diff` accept a single version of a path', async () => {
    const { run } = await desk();
    const { stdout } = await run('history', 'papers/plan.txt~1');
    expect(stdout.match(/other client/g)).toHaveLength(1);
    const { stdout: latest } = await run('diff', 'papers/plan.txt~1');
    expect(latest).toMatch(/^--- plan.txt~1\t.*\n\+\+\+ .*\(local file\)\t.*\n@@ .*\n-v2\n/);
    const { stdout: earlier } = await run('diff', 'papers/plan.txt~2', 'papers/plan.txt~1');
    expect(earlier).toMatch(/^--- plan.txt~2\t.*\n\+\+\+ plan.txt~1\t.*\n@@ .*\n-v1\n/);
    const { stdout: object } = await run('diff', 'local:papers/a~2', 'local:papers/a');
    expect(object).toMatch(/^--- a~2\t.*\n\+\+\+ a~0\t/);
  });

  it.each([
    ['papers/plan.txt~3', 1, 'papers/plan.txt has 3 versions'],
    ['papers/gone.txt~1', 1, 'papers/gone.txt has 0 versions'],
    ['./papers/plan.txt~1', 1, 'object "docs/plan.txt~1" does not exist'],
    ['papers~1', 2, 'names a bucket but no key'],
  ])('`s3 get %s` exits with code %i: %s', async (typed, code, words) => {
    const { run } = await desk();
    const { exitCode, stderr } = await run('s3', 'get', typed, '-');
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(words)]);
  });

  it('~N counts a delete marker as a version, and the error for the marker contains the time of the deletion', async () => {
    const { run, cwd } = await desk();
    const typed = join(cwd, 'papers/gone.txt');
    expect((await run('s3', 'get', `${typed}~1`, '-')).stdout).toBe('gone');
    const marker = await run('s3', 'info', 'backup/docs/again.txt~1');
    expect([marker.exitCode, marker.stderr]).toEqual([
      1,
      expect.stringMatching(/again\.txt~1: it is a delete marker: the object was deleted 20\d\d/),
    ]);
  });

  it('a name with ~N is refused if another object has exactly that name, and the error prints both spellings', async () => {
    const { cwd, run } = await desk();
    const object = await run('s3', 'get', 'local:papers/a~1', '-');
    expect([object.exitCode, object.stderr]).toEqual([
      2,
      expect.stringContaining(
        "for the file with this exact name: 'local:papers/a~1~0'; for the earlier version: local:papers/a",
      ),
    ]);
    writeFileSync(join(cwd, 'papers/plan.txt~1'), '');
    for (const argv of [
      ['s3', 'get', 'papers/plan.txt~1', '-'],
      ['restore', 'papers/plan.txt~1', '--to', join(cwd, 'back')],
      ['undo', 'papers/plan.txt~1'],
    ]) {
      const file = await run(...argv);
      expect([file.exitCode, file.stderr]).toEqual([
        2,
        expect.stringContaining("for the file with this exact name: 'papers/plan.txt~1~0'"),
      ]);
    }
  });

  it('~N and --version-id exclude each other', async () => {
    const { run } = await desk();
    const { exitCode, stderr } = await run('s3', 'info', 'papers/a~2', '--version-id', 'x');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('each name a version')]);
  });
});

/** A call of each command that has `--target`. The character @ precedes each bucket or object. */
const CALLS = `
s3 ls @photos/a
s3 versions @photos/a
s3 get @photos/a -
s3 put ./file @photos/a
s3 rm @photos/a --yes
s3 mb @photos
s3 rb @photos --yes
s3 bucket info @photos
s3 bucket create @photos
s3 bucket remove @photos --yes
s3 cp @photos/a @photos/b
s3 cp ./file @photos/b
s3 cp @photos/a ./new
s3 mv @photos/a @photos/b
s3 info @photos/a
s3 tag get @photos/a
s3 tag set @photos/a a=b
s3 tag remove @photos/a --all --yes
s3 meta get @photos/a
s3 meta set @photos/a a=b
s3 versioning get @photos
s3 versioning enable @photos
s3 versioning suspend @photos --yes
s3 lifecycle get @photos
s3 lifecycle set @photos ./file
s3 lifecycle add @photos week --expire-after 7
s3 lifecycle remove @photos week --yes
s3 lifecycle on @photos week
s3 lifecycle off @photos week
s3 acl get @photos/a
s3 acl set @photos/a private
s3 acl grant @photos/a --public
s3 acl revoke @photos/a --public
s3 policy get @photos
s3 policy set @photos ./file
s3 policy remove @photos --yes
s3 public-access get @photos
s3 public-access set @photos --block-public-acls --yes
s3 public-access block @photos
s3 public-access remove @photos --yes
s3 website get @photos
s3 website set @photos
s3 website remove @photos --yes
s3 cors get @photos
s3 cors set @photos ./cors
s3 cors add @photos --origin *
s3 cors remove @photos --yes
s3 encrypt object @photos/a --key-file ./key
s3 encrypt rotate @photos/a --key-file ./key --new-key-file ./key
s3 encrypt remove @photos/a --key-file ./key --yes
s3 link @photos/a
lock retention get @photos/a
lock retention set @photos/a --mode GOVERNANCE --for 1d
lock retention extend @photos/a --for 1d
lock hold get @photos/a
lock hold on @photos/a
lock hold off @photos/a --yes
lock default get @photos
lock default set @photos --mode GOVERNANCE --days 1
lock default remove @photos --yes
`;

/** Calls that only the embedded store supports. The daemon refuses them for every target. */
const LOCAL_CALLS = `
s3 lifecycle preview @photos
s3 policy check @photos
s3 policy explain GetObject @photos/a
`;

const [calls, localCalls] = [CALLS, LOCAL_CALLS].map((lines) => lines.trim().split('\n')) as [
  string[],
  string[],
];

describe('TARGET:BUCKET/KEY as an argument', () => {
  /**
   * Runs a command with handlers that only record their calls. Returns the calls with their
   * parameters.
   */
  async function requestsOf(argv: readonly string[]) {
    const requests: unknown[] = [];
    const names = Object.keys(METHODS).filter((name) => name !== 'events.subscribe');
    const recorders = names.map((name) => [
      name,
      async (params: object) => {
        // Each call has a random id that identifies its progress, so the test replaces the id.
        requests.push([name, 'id' in params ? { ...params, id: 'id' } : params]);
        if (name === 'status') return daemonStatus();
        throw new ControlError('Failed', 'recorded');
      },
    ]);
    const handlers = Object.fromEntries(recorders) as Partial<ControlHandlers>;
    const { socketPath } = await controlFixture(handlers);
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'file'), '{"Rules": []}');
    writeFileSync(join(cwd, 'cors'), '[{"AllowedOrigins": ["*"], "AllowedMethods": ["GET"]}]');
    writeFileSync(join(cwd, 'key'), Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
    const env = { HOLDFAST_HOME: dirname(socketPath) };
    const { stderr } = await runCli(argv, { env, cwd });
    return { requests, stderr };
  }

  const bothForms = (call: string) => {
    const words = call.split(' ');
    const option = [...words.map((word) => word.replace('@', '')), '--target=eu'];
    return Promise.all([words.map((word) => word.replace('@', 'eu:')), option].map(requestsOf));
  };

  it.each(localCalls)(
    '`%s` with the prefix TARGET: is refused in the same way as with --target',
    async (call) => {
      const [prefixed, option] = await bothForms(call);
      expect(prefixed).toEqual(option);
      expect(prefixed).toEqual({ requests: [], stderr: expect.stringContaining('embedded store') });
    },
  );

  it.each(calls)(
    '`%s` with the prefix TARGET: sends the same requests as with --target',
    async (call) => {
      const [prefixed, option] = await bothForms(call);
      expect(prefixed?.requests).toEqual(option?.requests);
      expect(prefixed?.requests.at(-1)).toEqual([
        expect.any(String),
        expect.objectContaining({ target: 'eu' }),
      ]);
    },
  );

  it('the tests of TARGET:BUCKET/KEY contain every command that has --target and an argument', async () => {
    const program = await declaredProgram();
    const leaves = (command: Command, path: string): string[] => {
      const name = `${path} ${command.name()}`;
      const isOffered = command.options.some(({ long }) => long === '--target');
      const isThing = isOffered && command.registeredArguments.length > 0;
      return command.commands.length > 0
        ? command.commands.flatMap((each) => leaves(each, name))
        : isThing
          ? [name.trim()]
          : [];
    };
    const offered = program.commands
      .filter((each) => ['s3', 'lock'].includes(each.name()))
      .flatMap((each) => leaves(each, ''))
      .filter((name) => name !== 's3 encrypt new-key');
    const tested = offered.filter((name) =>
      [...calls, ...localCalls].some((call) => call.startsWith(`${name} `)),
    );
    expect(tested).toEqual(offered);
  });

  it.each([
    ['s3 info eu:photos/a --target us', 'two targets: us and eu'],
    ['s3 cp eu:photos/a us:photos/b', 'two targets: eu and us'],
    ['s3 cp eu:photos/a photos/b', 'two targets: eu and local'],
    ['s3 quota get eu:photos', 'works on the embedded store only'],
  ])('`%s` is a usage error: %s', async (call, words) => {
    const { exitCode, stderr } = await runCli(call.split(' '), { env: {} });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('the prefix local: selects the embedded store', async () => {
    const { requests } = await requestsOf(['s3', 'info', 'local:photos/a']);
    expect(requests).toEqual([['objects.describe', { bucket: 'photos', key: 'a' }]]);
  });
});
