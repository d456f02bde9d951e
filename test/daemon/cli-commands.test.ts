/**
 * Tests of each command with a fake control server. Each test defines the responses of the server.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import { defined } from '../../src/base/defined.ts';
import { COMMAND_GROUPS } from '../../src/cli/command-groups.ts';
import { RENAMED } from '../../src/cli/unknown-command.ts';
import { jobOptions } from '../../src/config/job-options.ts';
import type { Params } from '../../src/control/messages.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { daemonStatus, jobStatus } from '../helpers/job-status.ts';
import { runCli, startCli, jsonOf, errorOf, eventsOf } from '../helpers/run-cli.ts';
import type { CliOptions } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const AT = Date.UTC(2026, 10, 21, 12);

/** Starts a control server with these handlers. Returns functions that run commands in its home. */
async function cliFixture(handlers: Partial<ControlHandlers> = {}) {
  const control = await controlFixture(handlers);
  const home = dirname(control.socketPath);
  const inHome = (options: CliOptions = {}) => ({
    ...options,
    env: { HOLDFAST_HOME: home, ...options.env },
  });
  return {
    ...control,
    home,
    run: (argv: readonly string[], options?: CliOptions) => runCli(argv, inHome(options)),
    start: (argv: readonly string[], options?: CliOptions) => startCli(argv, inHome(options)),
  };
}

const statusOf = (...jobs: ReturnType<typeof jobStatus>[]) => ({
  ...daemonStatus(...jobs),
  startedAt: AT - 3_600_000,
  listeners: [{ name: 'storage', host: '127.0.0.1', port: 9010, url: 'http://127.0.0.1:9010' }],
});

describe('commands without a running daemon', () => {
  it.each([
    [[]],
    [['status']],
    [['s3', 'ls']],
    [['s3', 'mb', 'photos']],
    [['s3', 'put', '-', 'photos/a']],
    [['job', 'list']],
    [['admin', 'credentials', '--env']],
  ])('without a daemon, the command %j suggests `up FOLDER` and starts no daemon', async (argv) => {
    const home = temporaryFolder();
    const { exitCode, stdout, stderr } = await runCli(argv, { env: { HOLDFAST_HOME: home } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('up FOLDER');
    expect(readdirSync(home)).toEqual([]);
  });

  it('`down` succeeds if no daemon is running', async () => {
    const result = await runCli(['down'], { env: { HOLDFAST_HOME: temporaryFolder() } });
    expect(result).toEqual({ exitCode: 0, stdout: 'no daemon is running\n', stderr: '' });
  });

  it('an error is one JSON line on standard output if --json is before or after the command', async () => {
    for (const argv of [
      ['--json', 's3', 'ls'],
      ['s3', 'ls', '--json'],
    ]) {
      const { stdout, stderr } = await runCli(argv, { env: { HOLDFAST_HOME: temporaryFolder() } });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual({
        error: { code: 'NotRunning', message: expect.any(String), hint: expect.any(String) },
      });
    }
  });
});

describe('an invalid command line', () => {
  it.each([
    [['stauts'], 'Did you mean: holdfast status'],
    [['nosuch', '--help'], "unknown command 'nosuch'"],
    [['job', 'lst', '-h'], 'Did you mean: holdfast job list'],
    [['s3', 'ls', '--bogus'], "unknown option '--bogus'"],
    [['s3', 'put', 'a'], "missing required argument 'object'"],
    [['job'], 'which of these commands?'],
    [['restore', 'photos'], '--to'],
    [['restore', 'photos', '--to', 'x', '--at', 'soon'], 'soon'],
    [['s3', 'mb', 'Photos'], '"Photos"'],
    [['s3', 'mb', 'photos', '--object-lock', '--no-versioning'], '--object-lock'],
    [['up', '--bucket', 'photos'], 'FOLDER'],
    [['up', '.', '--bucket', 'Photos'], '"Photos"'],
    [['up', '.', '--protocol', 'swift'], 'swift'],
    [['log', '-n', 'many'], 'many'],
    [['s3', 'get', 'photos/a', '-', '--json'], '--json'],
    [['service', 'logs', '--json'], 'cannot use --json with service logs'],
    [['dashboard', '--json'], 'cannot use --json with dashboard'],
    [['s3', '--json'], 'which of these commands?'],
  ])(
    'the command line %j is a usage error that names the mistake, and changes nothing',
    async (argv, words) => {
      const home = temporaryFolder();
      const { exitCode, stdout, stderr } = await runCli(argv, { env: { HOLDFAST_HOME: home } });
      const [returned, other] = argv.includes('--json') ? [stdout, stderr] : [stderr, stdout];
      expect({ exitCode, other }).toEqual({ exitCode: 2, other: '' });
      expect(returned).toContain(words);
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it.each([['nowhere'], ['a-file']])(
    '`up %s` names the folder in its error message, and changes nothing',
    async (name) => {
      const home = temporaryFolder();
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, 'a-file'), '');
      const { exitCode, stderr } = await runCli(['up', name], {
        cwd,
        env: { HOLDFAST_HOME: home },
      });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`cannot back up ${join(cwd, name)}: `);
      expect(readdirSync(home)).toEqual([]);
    },
  );
});

describe('the help', () => {
  it.each([
    [['job', 'edit', '--help']],
    [['job', 'edit', 'photos', '-h']],
    [['help', 'job', 'edit']],
    [['job', 'help', 'edit']],
  ])('the help of %j describes every option that a job can have in config.yaml', async (argv) => {
    const { stdout } = await runCli(argv);
    const lines = (stdout.split('Keys:\n')[1] ?? '').trimEnd().split('\n');
    const names = jobOptions().map(({ name }) => name);
    expect(lines.map((line) => /^ {2}(\w+) {2,}\S/.exec(line)?.[1])).toEqual(
      names.filter((name) => name !== 'name'),
    );
    expect(lines).toContain(
      '  bandwidth              rate limit, such as 5MB/s, or a list of them by time of day',
    );
    expect(stdout).toMatch(
      / {2}conflict +which side .*: keep-both \(default\), local, remote, ask\n/,
    );
    expect(stdout).toMatch(/ {2}rescanMinutes +minutes .* \(default 1h\)\n/);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  it.each([
    [[]],
    [['up']],
    [['down']],
    [['status']],
    [['log']],
    [['service', 'run']],
    [['job']],
    [['config']],
    [['s3', 'tag']],
    [['s3', 'meta']],
    [['job', 'list']],
    [['job', 'add']],
    [['job', 'remove']],
    [['job', 'pause']],
    [['job', 'resume']],
    [['job', 'run']],
    [['job', 'review']],
    [['job', 'approve']],
    [['job', 'reject']],
    [['job', 'accept-root']],
    [['restore']],
    [['config', 'check']],
    [['s3', 'ls']],
    [['s3', 'versions']],
    [['s3', 'get']],
    [['s3', 'put']],
    [['s3', 'rm']],
    [['s3', 'mb']],
    [['s3', 'rb']],
    [['admin', 'credentials']],
    [['admin', 'whoami']],
    [['admin', 'keys']],
    ...['list', 'add', 'rotate', 'remove'].map((verb) => [['admin', 'keys', verb]]),
    [['admin', 'users']],
    ...['list', 'add', 'remove', 'grant', 'revoke', 'disable', 'enable'].map((verb) => [
      ['admin', 'users', verb],
    ]),
    [['admin', 'projects']],
    ...['list', 'add', 'remove', 'set-email'].map((verb) => [['admin', 'projects', verb]]),
    [['admin', 'groups']],
    ...['list', 'add', 'remove', 'grant', 'revoke', 'join', 'leave'].map((verb) => [
      ['admin', 'groups', verb],
    ]),
    [['s3', 'acl']],
    ...['get', 'set', 'grant', 'revoke'].map((verb) => [['s3', 'acl', verb]]),
    [['s3', 'encrypt']],
    ...['new-key', 'object', 'rotate', 'remove'].map((verb) => [['s3', 'encrypt', verb]]),
    [['s3', 'policy']],
    ...['get', 'set', 'remove', 'check', 'explain'].map((verb) => [['s3', 'policy', verb]]),
  ])('the help of %j contains examples and the global options', async (argv) => {
    const { exitCode, stdout } = await runCli([...argv, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\n {2}\\$ .*holdfast ${argv.join(' ')}`));
    expect(stdout).toContain('--home <dir>');
    expect(stdout).toContain('--json');
  });

  it.each(Object.entries(RENAMED))(
    'the former command `%s` fails with exit code 2 and prints its current name: %s',
    async (former, present) => {
      const { exitCode, stdout, stderr } = await runCli([...former.split(' '), 'x']);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`use: holdfast ${present}\n`);
      expect((await runCli([...present.split(' '), '--help'])).exitCode).toBe(0);
    },
  );

  it('the main help describes the common commands by topic, lists the other commands by name, and fits on one screen', async () => {
    const { stdout } = await runCli(['--help']);
    expect(stdout).not.toContain('\nCommands:');
    expect(stdout.split('\n').length).toBeLessThanOrEqual(40);
    for (const [heading, names] of Object.entries(COMMAND_GROUPS)) {
      const [, group = ''] = stdout.split(`\n${heading}\n`);
      const listed = [...(group.split('\n\n')[0] ?? '').matchAll(/^ {2}(\S+)/gm)];
      if (heading !== 'More commands:') expect(listed.map(([, name]) => name)).toEqual(names);
      else for (const name of names) expect(stdout).toMatch(new RegExp(`  ${name}\\b`));
    }
  });

  it('`help --all` lists every command with its summary', async () => {
    const { stdout } = await runCli(['help', '--all']);
    for (const line of ['job list', 's3 bucket create', 'lock default get', 'lock why'])
      expect(stdout).toMatch(new RegExp(`^  ${line} +\\w`, 'm'));
  });
});

it('`up --detach` without jobs prints the URL of the embedded store', async () => {
  const { run } = await cliFixture({ status: async () => statusOf() });
  const { stderr } = await run(['up', '--detach']);
  expect(stderr).toContain('the embedded store accepts S3 requests at http://127.0.0.1:');
});

describe('the global options', () => {
  it('--quiet suppresses remarks, and --no-color suppresses colours', async () => {
    const { run } = await cliFixture({ status: async () => statusOf() });
    const remark = await run(['job', 'list']);
    expect(remark.stderr).toContain('no jobs yet');
    expect(await run(['job', 'list', '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const terminal = { columns: 80 };
    expect((await run(['status'], terminal)).stdout).toContain('\x1b[');
    expect((await run(['status', '--no-color'], terminal)).stdout).not.toContain('\x1b[');
  });

  it('--verbose writes each request to the daemon with its duration to standard error', async () => {
    const { run } = await cliFixture({ status: async () => statusOf() });
    const { stdout, stderr } = await run(['job', 'list', '--json', '--verbose']);
    expect(jsonOf(stdout)).toEqual({ jobs: [] });
    expect(stderr).toMatch(/^request status: \d+ ms\n$/);
  });

  it('--config sets the path of the configuration file, relative to the current directory', async () => {
    const { run, home } = await cliFixture({});
    writeFileSync(join(home, 'other.yaml'), 'region: [');
    const argv = ['--config', 'other.yaml', 'config', 'check'];
    const { exitCode, stdout } = await run(argv, { cwd: home });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(join(home, 'other.yaml'));
  });
});

describe('`status`', () => {
  it('`status` prints one line about the protection of each job, and a warning about several jobs only once', async () => {
    const warnings = ['the bucket was restored from a snapshot'];
    const { run } = await cliFixture({
      status: async () => statusOf(jobStatus({ warnings }), jobStatus({ name: 'music', warnings })),
    });
    const { exitCode, stdout } = await run([]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'holdfast 1.2.3  running for 1 h\n\n' +
        'photos  kept       in sync, 5,012 files, 3.14 GB\n' +
        'music   kept       in sync, 5,012 files, 3.14 GB\n\n' +
        '2 jobs: 2 kept; 10,024 files, 6.28 GB\n' +
        'kept against mistakes only: photos, music: the store is on the same disk as the folder\n',
    );
    expect(stdout.match(/snapshot/g)).toEqual(['snapshot']);
  });

  it('`status` of ten jobs fits on one screen, and shows how long a problem has existed and which command solves it', async () => {
    const at = Date.parse('2026-11-22T15:40:00Z');
    const proof = {
      drillFailures: 0,
      verifiedShare: 0,
      damaged: 0,
      damagedEarlier: 0,
      bytesPerDay: 0,
    };
    const jobs = Array.from({ length: 10 }, (_, index) =>
      jobStatus({
        name: `job-${index}`,
        lastRoundAt: at - 12_000,
        proof: { ...proof, lastDrillAt: at, nextDrillAt: at + index * 86_400_000 },
        ...(index === 4 && {
          brake: { alarmSince: at - 7_200_000, rejectedOverwrites: 0 },
          counts: { held: 3 },
        }),
      }),
    );
    const clock = new FakeClock(at);
    const { run } = await cliFixture({ status: async () => statusOf(...jobs) });
    const { stdout } = await run(['status'], { clock });
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    expect(stdout).toContain('job-3  kept       in sync, 5,012 files, 3.14 GB, checked 12 s ago\n');
    expect(stdout).toContain(
      'job-4  at risk    3 files held for review, for 2 h: holdfast job review job-4\n',
    );
    expect(stdout).toMatch(/10 jobs: 9 kept, 1 at risk; .*; next restore test 2026-11-22/);
  });

  it('`status` with a job name shows the details of that job, and for an unknown name lists the existing jobs', async () => {
    const { run } = await cliFixture({
      status: async () => statusOf(jobStatus(), jobStatus({ name: 'music' })),
    });
    const { stdout } = await run(['status', 'photos']);
    expect(stdout).toContain(
      'photos  in sync\n  kept against mistakes only: the store is on the same disk as the folder\n' +
        '  /home/ada/Photos → bucket photos in the embedded store',
    );
    expect(stdout).not.toContain('music');
    const unknown = await run(['status', 'films']);
    expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
    expect(unknown.stderr).toContain('job films does not exist\n  the jobs are: photos, music');
  });

  it('`status` reports the files of rejected deletes, and the command that restores them', async () => {
    const brake = { rejectedOverwrites: 0, rejectedDeletes: 57 };
    const { run } = await cliFixture({ status: async () => statusOf(jobStatus({ brake })) });
    const { stdout } = await run(['status']);
    expect(stdout).toContain(
      '  57 files are only in the bucket, because their deletion was rejected; to bring them back: holdfast restore photos --in-place\n',
    );
    expect(stdout).toContain('photos  in sync except for 57 rejected deletes');
  });

  it('`status` prints the process ID, the home and the addresses of the daemon only with --verbose', async () => {
    const { run } = await cliFixture({ status: async () => statusOf(jobStatus()) });
    expect((await run(['status'])).stdout).not.toMatch(/pid|http:/);
    const { stdout } = await run(['status', '--verbose']);
    expect(stdout).toMatch(/running for 1 h, pid 42, home \S+\nstorage {2}http:\/\/127/);
  });

  it('`status` does not report "in sync" while conflicts exist, and names the command that lists the conflicts', async () => {
    const job = jobStatus({ counts: { conflicts: 3 } });
    const { run } = await cliFixture({ status: async () => statusOf(job) });
    const { exitCode, stdout } = await run(['status']);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('photos  in sync except for 3 conflicts\n');
    expect(stdout).toContain('see `holdfast conflict list photos`');
  });

  it('`status` reports how many old versions a job has pruned', async () => {
    const report = {
      versions: 12,
      bytes: 3_000_000,
      markers: 1,
      retained: 4,
      needed: 0,
      others: 0,
      undated: 0,
    };
    const keep = { ...report, failed: 1, failure: 'slow down', at: AT };
    const { run } = await cliFixture({ status: async () => statusOf(jobStatus({ keep })) });
    expect((await run([])).stdout).toContain(
      ': 12 versions removed, 3 MB freed; 4 more versions kept until a lock ends; 1 could not be removed: slow down\n',
    );
  });

  it('`status` reports the rate limit and the schedule of a job', async () => {
    const nextRunAt = new Date(2026, 10, 22, 2).getTime();
    const manners = { bytesPerSecond: 5_000_000, nextRunAt };
    const state = { state: 'waiting', reason: 'until 2026-11-22 02:00', manners } as const;
    const { run } = await cliFixture({
      status: async () => statusOf(jobStatus({ ...state, inSync: false })),
    });
    const { exitCode, stdout } = await run([]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('photos  waiting: until 2026-11-22 02:00\n');
    expect(stdout).toContain('\n  at most 5 MB/s now, next run 2026-11-22 02:00:00\n');
  });

  it('`status --json` prints the result of the control protocol unchanged', async () => {
    const status = statusOf(jobStatus());
    const { run } = await cliFixture({ status: async () => status });
    expect(jsonOf((await run(['status', '--json'])).stdout)).toEqual(status);
  });

  it.each([
    ['problems', { counts: { problems: 1 } }],
    ['conflicts', { counts: { conflicts: 1 } }],
    ['drift', { counts: { drifted: 1 } }],
    ['held changes', { counts: { held: 1 } }],
    ['a missing folder', { state: 'root missing' }],
    ['a full disk', { state: 'no room' }],
    ['a failed job', { state: 'failed' }],
    ['a held job', { state: 'held' }],
    ['a paused job', { state: 'paused', inSync: false }],
  ] as const)(
    '`status` exits with code 3 if a job has this state or problem: %s',
    async (_, changes) => {
      const { run } = await cliFixture({ status: async () => statusOf(jobStatus(changes)) });
      expect((await run(['status'])).exitCode).toBe(3);
    },
  );

  it.each([
    ['a job that mirrors files', { state: 'mirroring', inSync: false, lagMs: 4_000 }],
    ['objects of other clients in the bucket', { counts: { foreign: 2 } }],
  ] as const)('`status` exits with code 0 for %s', async (_, changes) => {
    const { run } = await cliFixture({ status: async () => statusOf(jobStatus(changes)) });
    expect((await run(['status'])).exitCode).toBe(0);
  });

  it('`status` escapes terminal control sequences in names and messages', async () => {
    const problem = { path: 'a\u001b[2J\n', code: 'unreadable', message: 'no\u009b' };
    const job = jobStatus({ folder: '/x\u001b[H', counts: { problems: 1 }, problems: [problem] });
    const { run } = await cliFixture({ status: async () => statusOf(job) });
    const { stdout } = await run(['status']);
    expect(stdout).toContain('a\\x1b[2J\\n: unreadable: no\\x9b');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('`job`', () => {
  it('`job list` prints a table with the state, size, folder and bucket of each job', async () => {
    const { run } = await cliFixture({ status: async () => statusOf(jobStatus()) });
    const [titles, row] = (await run(['job', 'list'])).stdout.split('\n');
    expect(titles).toMatch(/^JOB +STATE +AMOUNT +ROUTE$/);
    expect(row).toMatch(/^photos +in sync +5,012 files, 3\.14 GB +\/home\/ada\/Photos → /);
  });

  it('`job add` resolves a relative folder against the current directory, and prints the notes that the daemon returns', async () => {
    const asked: unknown[] = [];
    const { run } = await cliFixture({
      'jobs.add': async (spec) => {
        asked.push(spec);
        return {
          job: jobStatus({ bucket: 'photos-2' }),
          existing: false,
          notes: ['photos-2 then'],
        };
      },
    });
    const cwd = temporaryFolder();
    const argv = ['job', 'add', '.', '--name', 'photos', '--exclude', '*.o', '--exclude', 'tmp/'];
    const { exitCode, stdout } = await run(argv, { cwd });
    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      { folder: cwd, name: 'photos', target: 'local', exclude: ['*.o', 'tmp/'] },
    ]);
    expect(stdout).toContain('bucket photos-2');
    expect(stdout).toContain('note: photos-2 then');
  });

  it.each([
    ['pause', 'job photos is paused'],
    ['resume', 'job photos is not paused: paused'],
    ['run', 'requested a full round of job photos'],
    ['run', 'requested a full round of job photos; it waits: no room', 'no room'],
  ] as const)('`job %s` prints: %s', async (change, said, state?: 'no room') => {
    const names: string[] = [];
    const { run } = await cliFixture({
      [`jobs.${change}`]: async ({ name }: { name: string }) => {
        names.push(name);
        return jobStatus({ state: state ?? 'paused', inSync: false });
      },
    });
    expect((await run(['job', change, 'photos'])).stdout).toBe(`${said}\n`);
    expect(names).toEqual(['photos']);
  });

  it('`job review` lists held changes page by page, and names the commands that approve them or restore the files', async () => {
    const why = 'it no longer begins like files of type jpeg';
    const digest = '1f0c9be2a47d5603';
    const changes = [
      { path: 'a', change: 'delete', bytes: 1 },
      { path: 'b', change: 'overwrite', why, bytes: 2 },
      { path: 'c\n', change: 'delete', bytes: 3 },
    ] as const;
    const passed = { before: Date.parse('2026-11-21T12:00:00Z'), deletes: 37 };
    const reason = '2 deletes are held';
    const pages = [
      { changes: changes.slice(0, 2), total: 3, digest, reason, passed, next: 'b' },
      { changes: changes.slice(2), total: 3, digest },
    ];
    const asked: (string | undefined)[] = [];
    const { run } = await cliFixture({
      'jobs.review': async ({ after }) => {
        asked.push(after);
        return pages[after === undefined ? 0 : 1] ?? { changes: [], total: 0, digest };
      },
    });
    const { stdout, stderr } = await run(['job', 'review', 'photos']);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['delete     a', `overwrite  b: ${why}`]);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toContain(
      `3 changes held; to apply them to the bucket: holdfast job approve photos --digest ${digest}`,
    );
    expect(stderr).toContain(`${reason}\n`);
    expect(stderr).toContain(
      '37 deletes were mirrored before the other changes were held: `holdfast diff photos --from 2026-11-21T12:00:00.000Z`',
    );
    expect(stderr).toContain('holdfast restore photos --at 2026-11-21T12:00:00.000Z --to DIR');
    expect(asked).toEqual([undefined, 'b']);
    expect(jsonOf((await run(['job', 'review', 'photos', '--json'])).stdout)).toEqual({
      changes,
      total: 3,
      digest,
      reason,
      passed,
    });
  });

  it('`job keep` reports removed versions and why other versions remain, and with --dry-run what it would remove', async () => {
    const asked: unknown[] = [];
    const left = { retained: 1, needed: 0, others: 4, undated: 5 };
    const report = { versions: 2, bytes: 3_000, markers: 1, ...left };
    const { run } = await cliFixture({
      'jobs.keep': async (params) => {
        asked.push(params);
        return { ...report, failed: params.dryRun ? 0 : 1, failure: 'slow down' };
      },
    });
    const dry = await run(['job', 'keep', 'photos', '--dry-run']);
    expect(dry.stdout.split('\n')).toEqual([
      'photos: 2 versions and 1 delete marker would be removed, 3 kB freed',
      '  1 version kept until a lock ends: holdfast lock list',
      '  4 versions kept, because another tool wrote them',
      '  5 versions kept: the service changes dates, and their recorded times are missing or not proven by the key of this job',
      '',
    ]);
    const { stdout, exitCode } = await run(['job', 'keep', 'photos', '--yes']);
    expect(stdout).toContain('could not be removed: slow down');
    expect(exitCode).toBe(1);
    expect(asked).toEqual([
      { name: 'photos', dryRun: true },
      { name: 'photos', dryRun: false },
    ]);
  });

  it('`job keep --preview` compares the pruning rule of a job with other rules, and reports a history that is too short to compare', async () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    const asked: unknown[] = [];
    const preview = async (oldestAt: number) => {
      const { run } = await cliFixture({
        'jobs.get': async ({ name }) => ({
          name,
          settings: { keep: { all: '7d', daily: '60d' } },
          defaults: {},
          options: [],
        }),
        'jobs.keep.preview': async ({ rules }) => {
          asked.push(rules[0]);
          const found = rules.map((_, index) => ({ versions: 10 * index, bytes: 1_000 * index }));
          return { rules: found, versions: 1_234, bytes: 5_000_000, oldestAt };
        },
      });
      const argv = ['job', 'keep', 'photos', '--preview'];
      return (await run(argv, { clock: new FakeClock(now) })).stdout;
    };
    const text = await preview(now - 90 * 86_400_000);
    expect(asked).toEqual([{ all: 7 * 86_400_000, daily: 60 * 86_400_000 }]);
    expect(text).toContain('photos: 1,234 versions, 5 MB, in 90 d\n');
    expect(text).toMatch(/the rule of this job +0 +0 B\nsmart +10 +1 kB\n\{all: 30d\} +20 +2 kB\n/);
    expect(text).not.toContain('too short');
    expect(await preview(now - 86_400_000)).toContain('This history is too short to compare');
  });

  it('`conflict resolve` reports the number of remaining conflicts, and the resolution continues if Ctrl-C ends the command', async () => {
    const clock = new FakeClock();
    const known = jobStatus({});
    let conflicts = 5;
    const { start } = await cliFixture({
      'conflicts.resolve': (_asked, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      status: async () => {
        conflicts -= 1;
        return statusOf({ ...known, counts: { ...known.counts, conflicts } });
      },
    });
    const cli = start(['conflict', 'resolve', '--keep', 'local', '--all'], { clock });
    await until(
      () => {
        clock.advance(1_000);
        return cli.stderr.text;
      },
      (text) => text.includes('3 conflicts left\n2 conflicts left\n'),
    );
    process.emit('SIGINT');
    expect(await cli.exitCode).toBe(1);
    expect(cli.stderr.text).toContain('the daemon carries it out');
  });

  it('`job approve` approves the reviewed changes or all changes, and requires --digest or --all without a terminal', async () => {
    const asked: unknown[] = [];
    const decided = { deletes: 2, overwrites: 1, renames: 3 };
    const { run } = await cliFixture({
      'jobs.review': async () => ({ changes: [], total: 6, digest: '1f0c' }),
      'jobs.approve': async (params) => {
        asked.push(params);
        return decided;
      },
    });
    const { stdout } = await run(['job', 'approve', 'photos', '--digest', '1f0c']);
    expect(stdout).toContain('approved 1 overwrite and 3 renames and 2 deletes of job photos');
    expect(jsonOf((await run(['job', 'approve', 'photos', '--all', '--json'])).stdout)).toEqual(
      decided,
    );
    const refused = await run(['job', 'approve', 'photos']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--digest');
    expect(asked).toEqual([{ name: 'photos', digest: '1f0c' }, { name: 'photos' }]);
  });

  it.each([
    ['y', 'approved 1 delete', [{ name: 'photos', digest: '1f0c' }]],
    ['n', 'nothing was approved', []],
  ])(
    '`job approve` on a terminal asks for confirmation and respects the answer %s',
    async (answer, said, asked) => {
      const approved: unknown[] = [];
      const changes = [{ path: 'a', change: 'delete' as const, bytes: 1 }];
      const { run } = await cliFixture({
        'jobs.review': async () => ({ changes, total: 1, digest: '1f0c' }),
        'jobs.approve': async (params) => {
          approved.push(params);
          return { deletes: 1, overwrites: 0, renames: 0 };
        },
      });
      const terminal = { stdin: `${answer}\n`, columns: 80 };
      const { stdout, stderr } = await run(['job', 'approve', 'photos'], terminal);
      expect(stdout).toContain('delete     a');
      expect(stderr).toContain('approve 1 change? [y/N]');
      expect(stdout).toContain(said);
      expect(approved).toEqual(asked);
    },
  );

  it('`job reject` reports how many changes it rejected, and how to restore the earlier files', async () => {
    const decided = { deletes: 2, overwrites: 0, renames: 0 };
    const signs = { since: Date.UTC(2026, 10, 21), reason: 'suspected ransomware attack' };
    const { run } = await cliFixture({
      'jobs.review': async () => ({ changes: [], total: 2, digest: '1f0c', signs }),
      'jobs.reject': async () => decided,
    });
    const { stdout } = await run(['job', 'reject', 'photos']);
    expect(stdout).toContain('rejected 2 deletes of job photos');
    expect(stdout).toContain('holdfast restore photos --at 2026-11-21T00:00:00.000Z --to DIR');
    expect(jsonOf((await run(['job', 'reject', 'photos', '--json'])).stdout)).toEqual(decided);
  });

  it('`job accept-root` reports the state of the job after the command', async () => {
    const { run } = await cliFixture({
      status: async () => statusOf(jobStatus({ name: 'photos', state: 'root missing' })),
      'jobs.acceptRoot': async () => jobStatus(),
    });
    const { stdout } = await run(['job', 'accept-root', 'photos', '--yes']);
    expect(stdout).toContain('accepted the folder of job photos as it is now: in sync');
  });
});

describe('`restore`', () => {
  const report = {
    to: '/tmp/back',
    files: 2,
    kept: 0,
    directories: 1,
    symlinks: 0,
    bytes: 300,
    aside: 0,
    saved: 0,
    early: { count: 0, paths: [] },
    undated: 0,
    seconds: 1.5,
    problems: [],
    problemCount: 0,
  };

  it('`restore` sends an absolute folder path and a time to the daemon, and reports the restored files', async () => {
    const asked: Params<'restore.run'>[] = [];
    const { run } = await cliFixture({
      'restore.run': async (params) => {
        asked.push(params);
        return report;
      },
    });
    const argv = ['restore', 'photos', '--to', 'back', '--at', '2h ago'];
    const { exitCode, stdout } = await run(argv, { cwd: '/tmp' });
    expect(exitCode).toBe(0);
    expect(asked).toMatchObject([{ job: 'photos', to: '/tmp/back', at: AT - 7_200_000 }]);
    expect(stdout).toMatch(
      /^restored to \/tmp\/back, as of 2026-11-2\d .*\n {2}2 files, 300 B, 1 folder/,
    );
  });

  it('`restore --in-place` sends the absolute path of the folder, and reports the local files that it set aside', async () => {
    const asked: Params<'restore.run'>[] = [];
    const aside = { aside: 3, saved: 0, asideFolder: '/home/me/docs.before', kept: 4 };
    const { run } = await cliFixture({
      'restore.run': async (params) => {
        asked.push(params);
        return { ...report, ...aside, early: { count: 1, paths: ['big'] } };
      },
    });
    const argv = ['restore', 'docs/a', '--in-place', '--exact'];
    const { exitCode, stdout } = await run(argv, { cwd: '/home/me' });
    expect(exitCode).toBe(0);
    expect(asked).toMatchObject([{ job: 'docs/a', path: '/home/me/docs/a', exact: true }]);
    expect(asked[0]).not.toHaveProperty('to');
    expect(stdout).toContain(': 4 unchanged, 0 failed');
    expect(stdout).toContain('were moved to /home/me/docs.before: 3');
    expect(stdout).toContain('may differ from the state at that time');
  });

  it('`restore` exits with code 3 and reports no success if the stored folder is empty', async () => {
    const nothing = { ...report, files: 0, directories: 0, symlinks: 0, bytes: 0 };
    const { run } = await cliFixture({ 'restore.run': async () => nothing });
    for (const at of [[], ['--at', '2h ago']]) {
      const { exitCode, stdout } = await run(['restore', 'photos', '--to', '/tmp/back', ...at]);
      expect([exitCode, stdout]).toEqual([
        3,
        expect.stringMatching(/^! nothing to restore: .*\n$/),
      ]);
    }
  });

  it('`restore` exits with code 3 and names each file that it could not restore', async () => {
    const problems = Array.from({ length: 12 }, (_, index) => ({
      path: `p${index}`,
      code: 'failed',
      message: 'no',
    }));
    const { run } = await cliFixture({
      'restore.run': async () => ({ ...report, problems, problemCount: 12 }),
    });
    const { exitCode, stdout } = await run(['restore', 'photos', '--to', '/tmp/back']);
    expect(exitCode).toBe(3);
    for (const { path } of problems) expect(stdout).toContain(`  ${path}: failed: no`);
  });
});

describe('`s3 ls`', () => {
  const object = (key: string) => ({ key, sizeBytes: 12, etag: 'e', lastModifiedAt: AT });

  /**
   * Returns a handler that answers each `objects.list` call with one of two pages, whatever the
   * prefix is.
   */
  const pages =
    (asked: unknown[] = []): ControlHandlers['objects.list'] =>
    async (params) => {
      asked.push(params);
      const { prefix = '', continuationToken } = params;
      return continuationToken === undefined
        ? { objects: [object(`${prefix}a`)], commonPrefixes: [`${prefix}b/`], nextToken: 'next' }
        : { objects: [object(`${prefix}c\u001b[2J`)], commonPrefixes: [] };
    };

  it('`s3 ls` without arguments lists the buckets', async () => {
    const buckets = [{ name: 'photos', createdAt: AT }];
    const { run } = await cliFixture({ 'buckets.list': async () => ({ buckets }) });
    expect((await run(['s3', 'ls'])).stdout).toMatch(/ photos\n$/);
    expect(jsonOf((await run(['s3', 'ls', '--json'])).stdout)).toEqual({ buckets });
  });

  it('`s3 ls` of a folder shows the names in that folder, and requests page after page', async () => {
    const asked: unknown[] = [];
    const { run } = await cliFixture({ 'objects.list': pages(asked) });
    const { stdout } = await run(['s3', 'ls', 'photos/2026/']);
    const names = stdout.split('\n').map((line) => line.slice(32));
    expect(names).toEqual(['b/', 'a', 'c\\x1b[2J', '']);
    const place = { bucket: 'photos', prefix: '2026/', delimiter: '/' };
    expect(asked).toEqual([place, { ...place, continuationToken: 'next' }]);
  });

  it('`s3 ls --recursive` prints complete keys, and sends no delimiter', async () => {
    const asked: unknown[] = [];
    const { run } = await cliFixture({ 'objects.list': pages(asked) });
    expect((await run(['s3', 'ls', 'photos/2026/', '-r'])).stdout).toContain(' 2026/a\n');
    expect(asked[0]).toEqual({ bucket: 'photos', prefix: '2026/' });
  });

  it('`s3 ls --json` prints the objects of all pages as one JSON document, with unchanged keys', async () => {
    const { run } = await cliFixture({ 'objects.list': pages() });
    expect(jsonOf((await run(['s3', 'ls', 'photos', '--json'])).stdout)).toEqual({
      objects: [object('a'), object('c\u001b[2J')],
      commonPrefixes: ['b/'],
    });
  });

  it('`s3 ls` fails with the error code that the store returns', async () => {
    const { run } = await cliFixture({
      'objects.list': async () => {
        throw new StorageError('NoSuchBucket', 'list bucket photos: there is none');
      },
    });
    const { exitCode, stdout } = await run(['s3', 'ls', 'photos', '--json']);
    expect([exitCode, errorOf(stdout)]).toMatchObject([1, { code: 'NoSuchBucket' }]);
  });
});

describe('`s3 versions`', () => {
  it('`s3 versions` marks the current version and the delete markers', async () => {
    const version = {
      kind: 'version' as const,
      key: 'a',
      versionId: 'v1',
      isLatest: true,
      lastModifiedAt: AT,
      sizeBytes: 12,
      etag: 'e',
    };
    const marker = { ...version, kind: 'delete-marker' as const, versionId: 'm1', sizeBytes: 0 };
    const old = { ...version, versionId: 'v0', isLatest: false };
    const { run } = await cliFixture({
      'versions.list': async ({ keyMarker }) =>
        keyMarker === undefined
          ? { versions: [version, marker], commonPrefixes: [], next: { keyMarker: 'a' } }
          : { versions: [old], commonPrefixes: [] },
    });
    const lines = (await run(['s3', 'versions', 'photos/a'])).stdout.trim().split('\n');
    expect(lines.map((line) => line.slice(21).trim())).toEqual([
      '12 B  current  v1  a',
      'deleted  m1  a',
      '12 B           v0  a',
    ]);
    const { stdout } = await run(['s3', 'versions', 'photos/a', '--json']);
    expect(jsonOf(stdout)).toEqual({ versions: [version, marker, old] });
  });
});

describe('`s3 get` and `s3 put`', () => {
  async function storeFixture() {
    const stored: { params: Params<'objects.put'>; bytes: string }[] = [];
    const fixture = await cliFixture({
      'objects.get': async () => ({
        stream: fixture.streams.offerDownload(bytesOf('hello')),
        info: { sizeBytes: 5, etag: 'e', lastModifiedAt: AT },
      }),
      'objects.put': async (params) => ({
        stream: fixture.streams.offerUpload(async (body) => {
          let bytes = '';
          for await (const chunk of body) bytes += Buffer.from(chunk).toString();
          stored.push({ params, bytes });
          return { etag: 'e', versionId: 'v1' };
        }),
      }),
    });
    return { ...fixture, stored };
  }

  async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text.slice(0, 2));
    yield Buffer.from(text.slice(2));
  }

  it('`s3 get` writes a new file that is named after the last part of the key', async () => {
    const { run } = await storeFixture();
    const cwd = temporaryFolder();
    expect((await run(['s3', 'get', 'photos/2026/a.txt'], { cwd })).exitCode).toBe(0);
    expect(readdirSync(cwd)).toEqual(['a.txt']);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('hello');
  });

  it('`s3 get` overwrites an existing file only if the command line contains the name of that file', async () => {
    const { run } = await storeFixture();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a.txt'), 'mine');
    const { exitCode, stderr } = await run(['s3', 'get', 'photos/2026/a.txt'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the file exists already');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('mine');
    expect((await run(['s3', 'get', 'photos/2026/a.txt', 'a.txt'], { cwd })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('hello');
  });

  it('`s3 get` writes through a symbolic link whose target does not exist yet, and keeps the link', async () => {
    const { run } = await storeFixture();
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'real'));
    symlinkSync('real', join(cwd, 'folder'));
    symlinkSync('second', join(cwd, 'real/first'));
    symlinkSync('../made', join(cwd, 'real/second'));
    expect((await run(['s3', 'get', 'photos/a.txt', 'folder/first'], { cwd })).exitCode).toBe(0);
    expect(readlinkSync(join(cwd, 'real/first'))).toBe('second');
    expect(readlinkSync(join(cwd, 'real/second'))).toBe('../made');
    expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('hello');
  });

  it('`s3 get` without a file name does not write through a symbolic link', async () => {
    const { run } = await storeFixture();
    const cwd = temporaryFolder();
    symlinkSync('elsewhere', join(cwd, 'a.txt'));
    const { exitCode, stderr } = await run(['s3', 'get', 'photos/a.txt'], { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the file exists already')]);
    expect(readdirSync(cwd)).toEqual(['a.txt']);
  });

  it('`s3 get` creates the file in a given folder, and with `-` writes only the object data to standard output', async () => {
    const { run } = await storeFixture();
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'sub'));
    await run(['s3', 'get', 'photos/a.txt', 'sub'], { cwd });
    expect(existsSync(join(cwd, 'sub/a.txt'))).toBe(true);
    expect((await run(['s3', 'get', 'photos/a.txt', '-'], { cwd })).stdout).toBe('hello');
  });

  it.each(['photos/..', 'photos/a/', 'photos/a/.'])(
    '`s3 get %s` is a usage error that asks for a file name',
    async (place) => {
      const { run } = await storeFixture();
      expect(await run(['s3', 'get', place])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('name of the file'),
      });
    },
  );

  it('`s3 get` leaves no file if the download ends before the last byte', async () => {
    const { run, streams } = await cliFixture({
      'objects.get': async () => ({
        stream: streams.offerDownload(broken()),
        info: { sizeBytes: 5, etag: 'e', lastModifiedAt: AT },
      }),
    });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('he');
      throw new StorageError('InternalError', 'read object: the bytes are damaged');
    }
    const cwd = temporaryFolder();
    const { exitCode, stderr } = await run(['s3', 'get', 'photos/a.txt'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('damaged');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('`s3 put` to a prefix keeps the name of the file, and sends its size', async () => {
    const { run, stored } = await storeFixture();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a.txt'), 'hello');
    const { stdout } = await run(['s3', 'put', 'a.txt', 'photos/2026/'], { cwd });
    expect(stdout).toBe('stored photos/2026/a.txt, version v1\n');
    const attributes = { contentType: 'text/plain' };
    const params = { bucket: 'photos', key: '2026/a.txt', sizeBytes: 5, attributes };
    expect(stored).toEqual([{ params, bytes: 'hello' }]);
  });

  it('`s3 put -` uploads standard input, whose size is unknown', async () => {
    const { run, stored } = await storeFixture();
    await run(['s3', 'put', '-', 'photos/a', '--content-type', 'text/plain'], { stdin: 'typed' });
    const params = { bucket: 'photos', key: 'a', attributes: { contentType: 'text/plain' } };
    expect(stored).toEqual([{ params, bytes: 'typed' }]);
  });

  it.each([
    ['nothing.txt', 'photos/a', 1, 'the file does not exist'],
    ['.', 'photos/a', 1, 'folder'],
    ['-', 'photos/', 2, 'no file name'],
  ])('`s3 put %s %s` exits with code %i', async (file, object, exitCode, words) => {
    const { run, stored } = await storeFixture();
    expect(await run(['s3', 'put', file, object], { cwd: temporaryFolder() })).toMatchObject({
      exitCode,
      stderr: expect.stringContaining(words),
    });
    expect(stored).toEqual([]);
  });
});

describe('the duration in summaries of commands', () => {
  it('verify, test, s3 put, s3 get and s3 rm --recursive print how long they took', async () => {
    const clock = new FakeClock();
    async function* slowly(text: string): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
      clock.advance(12_000);
    }
    const counts = { entries: 3, bytes: 7, findings: 0, changedMeanwhile: 0, toBeLocked: 0 };
    const done = { is: 'done', ...counts, readBack: 0, readBackBytes: 0 };
    const object = { key: 'old/a', sizeBytes: 1, etag: 'e', lastModifiedAt: AT };
    const fixture = await cliFixture({
      status: async () => statusOf(jobStatus({ name: 'photos' })),
      'proof.drill': async () => {
        clock.advance(12_000);
        return { at: AT, files: 3, bytes: 7, failures: [] };
      },
      'proof.verify': async () => ({
        stream: fixture.streams.offerDownload(slowly(`${JSON.stringify(done)}\n`)),
      }),
      'objects.put': async () => ({
        stream: fixture.streams.offerUpload(async (body) => {
          for await (const _ of body) clock.advance(12_000);
          return { etag: 'e', versionId: 'v1' };
        }),
      }),
      'objects.get': async () => ({
        stream: fixture.streams.offerDownload(slowly('hello')),
        info: { sizeBytes: 5, etag: 'e', lastModifiedAt: AT },
      }),
      'objects.list': async () => ({ objects: [object], commonPrefixes: [] }),
      'objects.deleteMany': async () => {
        clock.advance(12_000);
        return { deleted: 1, markers: 0, failedCount: 0, failed: [] };
      },
    });
    const cwd = temporaryFolder();
    const lineOf = async (line: string) => {
      const { stdout, stderr } = await fixture.run(line.split(' '), { clock, cwd, stdin: 'x' });
      return stdout || stderr;
    };
    expect(await lineOf('verify photos')).toContain('photos: 3 paths, 7 B in 12 s: each matches');
    expect(await lineOf('test photos')).toContain('3 files, 7 B in 12 s: restored unchanged');
    expect(await lineOf('s3 put - photos/a')).toBe('stored photos/a, version v1 in 12 s\n');
    expect(await lineOf('s3 get photos/a a')).toMatch(/a: 5 B in 12 s\n$/);
    expect(await lineOf('s3 rm letters/old/ -r --yes')).toBe('removed 1 object in 12 s\n');
  });
});

describe('`test`', () => {
  it.each([
    [0, 0, 'photos: nothing to test: the job has mirrored no files\n'],
    [3, 3, expect.stringContaining('photos: no file was tested: none of its 3 files') as string],
  ])(
    'the command `test` reports no success if it tested no file: with %i mirrored files, it exits with code %i',
    async (files, code, said) => {
      const job = jobStatus({ name: 'photos' });
      const { run } = await cliFixture({
        'proof.drill': async () => ({ at: AT, files: 0, bytes: 0, failures: [] }),
        status: async () => statusOf({ ...job, counts: { ...job.counts, files } }),
      });
      const { exitCode, stdout } = await run(['test', 'photos']);
      expect([exitCode, stdout]).toEqual([code, said]);
    },
  );

  it.each([
    [3, 120e6, '3 files, 120 MB; 2 ranges of 1 large file, 16 MB: restored unchanged'],
    [0, 0, ': 2 ranges of 1 large file, 16 MB: restored unchanged'],
  ])(
    'the summary of a restore test of %i whole files counts the tested ranges of large files separately',
    async (files, bytes, said) => {
      const ranges = { count: 2, files: 1, bytes: 16e6 };
      const { run } = await cliFixture({
        'proof.drill': async () => ({ at: AT, files, bytes, ranges, failures: [] }),
        status: async () => statusOf(jobStatus({ name: 'photos' })),
      });
      const { exitCode, stdout } = await run(['test', 'photos']);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(said)]);
    },
  );
});

describe('`s3 rm`', () => {
  it.each([
    [['photos/a'], { versionId: 'm1', deleteMarker: true }, 'added a delete marker m1'],
    [['photos/a'], { deleteMarker: false }, 'removed for good'],
    [
      ['photos/a', '--version-id', 'v1'],
      { versionId: 'v1', deleteMarker: false },
      'removed the version v1 for good',
    ],
    [
      ['photos/a', '--version-id', 'm1', '--bypass-governance'],
      { versionId: 'm1', deleteMarker: true },
      'removed the delete marker m1',
    ],
  ])(
    '`s3 rm` with the arguments %j and the result %j of the daemon prints: %s',
    async (argv, outcome, said) => {
      const { run } = await cliFixture({
        status: async () => statusOf(),
        'versions.locks': async () => ({ objects: [{}] }),
        'objects.delete': async () => outcome,
      });
      expect((await run(['s3', 'rm', ...argv, '--yes'])).stdout).toContain(`photos/a: ${said}`);
    },
  );

  it.each([
    [[], 'NoSuchKey', 'the object does not exist'],
    [['--version-id', 'v1'], 'NoSuchVersion', 'cannot remove version v1 of photos/a'],
  ])(
    '`s3 rm` with %j deletes nothing if the lookup of the object returns %s',
    async (options, code, said) => {
      const { run } = await cliFixture({
        status: async () => statusOf(),
        'versions.locks': async () => ({ objects: [{ code }] }),
      });
      const { exitCode, stderr } = await run(['s3', 'rm', 'photos/a', ...options, '--yes']);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)]);
    },
  );

  it.each([
    [[], 'whether the object existed'],
    [['--version-id', 'v1'], 'whether version v1 existed'],
    [['--force'], 'whether the object existed'],
  ])(
    '`s3 rm` with %j deletes an object even if it cannot check whether the object exists',
    async (more, said) => {
      const { run } = await cliFixture({
        status: async () => statusOf(),
        'versions.locks': async () => ({ objects: [{ code: 'AccessDenied' }] }),
        'objects.delete': async ({ versionId }) => defined({ versionId, deleteMarker: false }),
      });
      const { exitCode, stdout } = await run(['s3', 'rm', 'photos/a', ...more, '--yes']);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(said)]);
    },
  );
});

describe('`s3 mb` and `s3 rb`', () => {
  it.each([
    [[], { versioning: true, objectLock: false }],
    [['--no-versioning'], { versioning: false, objectLock: false }],
    [['--object-lock'], { versioning: true, objectLock: true }],
  ])(
    '`s3 mb` with the options %j creates a bucket with the parameters %j',
    async (options, asked) => {
      const seen: unknown[] = [];
      const { run } = await cliFixture({
        'buckets.create': async (params) => {
          seen.push(params);
          return {};
        },
      });
      expect((await run(['s3', 'mb', 'photos', ...options])).exitCode).toBe(0);
      expect(seen).toEqual([{ bucket: 'photos', ...asked }]);
    },
  );

  it('`s3 rb` removes the bucket and prints its name', async () => {
    const { run } = await cliFixture({
      status: async () => statusOf(),
      'buckets.delete': async () => ({}),
    });
    expect((await run(['s3', 'rb', 'photos', '--yes'])).stdout).toBe('removed bucket photos\n');
  });
});

describe('`admin credentials`', () => {
  const known = {
    accessKeyId: 'holdfast:ada@local',
    secretAccessKey: "it's secret",
    region: 'us-east-1',
    endpointUrl: 'http://127.0.0.1:9010',
    projectId: 'holdfast',
  };
  const fixture = () => cliFixture({ credentials: async () => known });

  it('`admin credentials` prints the secret only with --show-secret', async () => {
    const { run } = await fixture();
    for (const argv of [
      ['admin', 'credentials'],
      ['admin', 'credentials', '--json'],
    ]) {
      const { stdout } = await run(argv);
      expect(stdout).toContain(known.accessKeyId);
      expect(stdout).not.toContain('secret"');
      expect(stdout).not.toContain(known.secretAccessKey);
    }
    expect((await run(['admin', 'credentials', '--show-secret'])).stdout).toContain(
      known.secretAccessKey,
    );
  });

  it('[sign-11] `admin credentials --env` prints export statements for the `eval` command of a shell', async () => {
    const { run } = await fixture();
    expect((await run(['admin', 'credentials', '--env'])).stdout.trim().split('\n')).toEqual([
      'export AWS_ACCESS_KEY_ID=holdfast:ada@local',
      `export AWS_SECRET_ACCESS_KEY='it'\\''s secret'`,
      'export AWS_DEFAULT_REGION=us-east-1',
      'export AWS_ENDPOINT_URL=http://127.0.0.1:9010',
      'export HOLDFAST_PROJECT_ID=holdfast',
    ]);
  });

  it('`admin credentials --env` includes the endpoint of the cluster service, which `aws eks` uses', async () => {
    const clusterUrl = 'http://127.0.0.1:9011';
    const { run } = await cliFixture({ credentials: async () => ({ ...known, clusterUrl }) });
    expect(
      (await run(['admin', 'credentials', '--env'])).stdout.trim().split('\n').slice(-2),
    ).toEqual([
      'export HOLDFAST_CLUSTER_URL=http://127.0.0.1:9011',
      'export AWS_ENDPOINT_URL_EKS=http://127.0.0.1:9011',
    ]);
    expect((await run(['admin', 'credentials'])).stdout).toContain(
      `cluster service    ${clusterUrl}`,
    );
    expect(jsonOf((await run(['admin', 'credentials', '--json'])).stdout)).toMatchObject({
      clusterUrl,
    });
  });
});

describe('`admin keys`', () => {
  const old = {
    accessKeyId: 'holdfast:ada@local',
    user: 'ada',
    project: 'holdfast',
    customer: 'local',
    fullAccess: true,
    disabled: false,
    createdAt: AT,
  };
  const key = { ...old, accessKeyId: 'holdfast:ada+0123456789@local' };
  const ending = { ...old, expiresAt: AT + 86_400_000 };

  it('`admin keys list` shows the owner and the expiry of each access key', async () => {
    const { run } = await cliFixture({ 'keys.list': async () => ({ keys: [ending, key] }) });
    const lines = (await run(['admin', 'keys', 'list'])).stdout.trim().split('\n');
    expect(lines[0]).toMatch(/^USER +PROJECT +ACCESS +CREATED +EXPIRES +KEY$/);
    expect(lines[1]).toMatch(
      /^ada +holdfast +full +2026-11-21 .* 2026-11-22 .* holdfast:ada@local$/,
    );
    expect(lines[2]).toMatch(/never +holdfast:ada\+0123456789@local$/);
    expect(jsonOf((await run(['admin', 'keys', 'list', '--json'])).stdout)).toEqual({
      keys: [ending, key],
    });
  });

  it.each([
    [[], {}],
    [['ann'], { user: 'ann' }],
    [['photos:ann@acme'], { user: 'ann', project: 'photos', customer: 'acme' }],
  ])(
    '`admin keys add` with %j sends %j, and explains how to use the new access key',
    async (options, asked) => {
      const seen: unknown[] = [];
      const { run } = await cliFixture({
        'keys.add': async (params) => {
          seen.push(params);
          return key;
        },
      });
      const { stdout } = await run(['admin', 'keys', 'add', ...options]);
      expect(seen).toEqual([asked]);
      expect(stdout).toContain(
        'holdfast admin credentials --env --key holdfast:ada+0123456789@local',
      );
    },
  );

  it.each([
    [[], { graceMs: 86_400_000 }, 'remains valid until 2026-11-22'],
    [
      ['holdfast:ada@local', '--grace', '7d'],
      { accessKeyId: old.accessKeyId, graceMs: 604_800_000 },
      'remains valid',
    ],
    [['--grace', '1h 30m'], { graceMs: 5_400_000 }, 'remains valid'],
    [['--grace', '0', '--yes'], { graceMs: 0 }, 'is no longer valid'],
  ])(
    '`admin keys rotate` with the arguments %j sends %j, and the old access key %s',
    async (options, asked, said) => {
      const seen: unknown[] = [];
      const { run } = await cliFixture({
        'keys.rotate': async (params) => {
          seen.push(params);
          return { key, old: ending };
        },
      });
      const { stdout } = await run(['admin', 'keys', 'rotate', ...options]);
      expect(seen).toEqual([asked]);
      expect(stdout).toContain(`the old key holdfast:ada@local ${said}`);
    },
  );

  it.each([['soon'], ['-1h'], ['91d'], ['']])(
    '`admin keys rotate` with a grace period of %j is a usage error',
    async (grace) => {
      const { run } = await cliFixture();
      const { exitCode, stderr } = await run(['admin', 'keys', 'rotate', `--grace=${grace}`]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('invalid duration');
    },
  );

  it('`admin keys remove` removes only the named access key', async () => {
    const seen: unknown[] = [];
    const { run } = await cliFixture({
      'keys.remove': async (params) => {
        seen.push(params);
        return {};
      },
    });
    const { stdout } = await run(['admin', 'keys', 'remove', old.accessKeyId, '--yes']);
    expect(seen).toEqual([{ accessKeyId: old.accessKeyId }]);
    expect(stdout).toBe('removed access key holdfast:ada@local\n');
  });

  it('`admin credentials --key` shows the named access key', async () => {
    const known = { secretAccessKey: 's', region: 'r', endpointUrl: 'http://h', projectId: 'p' };
    const { run } = await cliFixture({
      credentials: async ({ accessKeyId = 'mine' }) => ({ ...known, accessKeyId }),
    });
    const { stdout } = await run(['admin', 'credentials', '--key', 'x:y@z']);
    expect(stdout).toContain('access key id      x:y@z');
    expect(stdout).toContain('eval "$(holdfast admin credentials --env --key x:y@z)"');
    expect((await run(['admin', 'credentials'])).stdout).toContain('mine');
  });
});

describe('`log`', () => {
  const entry = { level: 'warn', time: '2026-11-21T12:00:00Z', msg: 'slow', job: 'a b' };
  const line = JSON.stringify(entry);

  it.each([
    ['a name', line],
    ['the number that an earlier release wrote', JSON.stringify({ ...entry, level: 40 })],
  ])(
    '`log` prints the name of the level of a log line whose level is stored as %s',
    async (_, logged) => {
      const { run } = await cliFixture({ 'log.tail': async () => ({ lines: [logged] }) });
      expect((await run(['log'])).stdout).toMatch(/ {2}warn {3}slow {2}job="a b"\n$/);
      expect(eventsOf((await run(['log', '--json'])).stdout)).toEqual([entry]);
    },
  );

  it('`log` prints a line that is not a JSON log entry unchanged', async () => {
    const { run } = await cliFixture({
      'log.tail': async () => ({ lines: ['Killed', '{"a":1}'] }),
    });
    expect((await run(['log'])).stdout).toBe('Killed\n{"a":1}\n');
    const { stdout } = await run(['log', '--json']);
    expect(eventsOf(stdout)).toEqual([{ msg: 'Killed' }, { msg: '{"a":1}' }]);
    expect(jsonOf(stdout)).toEqual({});
  });

  it('`log` prints the last lines of the log file if no daemon runs', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'state'));
    const lines = Array.from({ length: 30_000 }, (_, index) =>
      JSON.stringify({ index, level: 'info' }),
    );
    writeFileSync(join(home, 'state', 'holdfast.log'), `${lines.join('\n')}\n`);
    const returned = await runCli(['log', '--json', '-n', '2'], { env: { HOLDFAST_HOME: home } });
    expect(returned).toMatchObject({ exitCode: 0, stderr: '' });
    expect(eventsOf(returned.stdout)).toEqual(lines.slice(-2).map((line) => JSON.parse(line)));
    writeFileSync(join(home, 'state', 'holdfast.log.1'), 'of before\n');
    writeFileSync(join(home, 'state', 'holdfast.log'), 'newest\n');
    const both = await runCli(['log', '--json'], { env: { HOLDFAST_HOME: home } });
    expect(eventsOf(both.stdout)).toEqual([{ msg: 'of before' }, { msg: 'newest' }]);
    const followed = await runCli(['log', '-f'], { env: { HOLDFAST_HOME: home } });
    expect(followed).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('`log -f` prints new lines until the daemon stops', async () => {
    const { start, events, server } = await cliFixture({
      'log.tail': async () => ({ lines: ['first'] }),
    });
    const { stdout, exitCode } = start(['log', '-f']);
    await stdout.saw(/first\n/);
    events.append({ type: 'log', line: 'second\u001b[2J' });
    await stdout.saw(/second/);
    await server.close();
    expect(await exitCode).toBe(0);
    expect(stdout.text).toBe('first\nsecond\\x1b[2J\n');
  });
});

describe('`config check`', () => {
  const check = (text: string, ...options: string[]) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'config.yaml'), text);
    return runCli(['config', 'check', 'config.yaml', ...options], { cwd });
  };

  it('`config check` reports every mistake with its line number', async () => {
    const text =
      'region: US\nlogLevel: loud\njobs:\n  - name: a\n    folder: /a\n    bucket: Photos\n';
    const { exitCode, stdout } = await check(text);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/config\.yaml:1:.*region/);
    expect(stdout).toMatch(/config\.yaml:2:.*logLevel/);
    expect(stdout).toMatch(/config\.yaml:6:.*bucket/);
    expect(stdout).toContain('3 problems');
    expect(jsonOf((await check(text, '--json')).stdout)).toMatchObject({
      problems: [{ line: 1 }, { line: 2 }, { line: 6 }],
    });
  });

  it('`config check` accepts a valid file without a daemon', async () => {
    expect(await check('region: us-east-1\n')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('in order'),
    });
  });

  it('`config check` names a configuration file that does not exist', async () => {
    const { exitCode, stderr } = await runCli(['config', 'check', '/nowhere/config.yaml']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('/nowhere/config.yaml');
  });
});

describe('`job queue`', () => {
  const counts = { error: 0, conflict: 0, held: 0, drifted: 1, busy: 0, waiting: 1, retained: 0 };
  const drifted = {
    path: 'a\u001b[2J',
    reason: 'drifted',
    detail: 'another client wrote it',
  } as const;
  const waiting = { path: 'b', reason: 'waiting', detail: 'is next' } as const;

  it('`job queue` lists each path with its reason page by page, and exits with code 3 if a path needs the attention of the user', async () => {
    const asked: Params<'jobs.queue'>[] = [];
    const { run } = await cliFixture({
      'jobs.queue': async (page) => {
        asked.push(page);
        return page.after === undefined
          ? { rows: [drifted], counts, next: 'more' }
          : { rows: [{ ...waiting, until: AT }], counts };
      },
    });
    const { exitCode, stdout } = await run(['job', 'queue', 'photos']);
    expect(exitCode).toBe(3);
    expect(stdout).toContain(
      'drifted   a\\x1b[2J  another client wrote it\nwaiting   b  is next, until 2026-',
    );
    expect(asked).toMatchObject([{ name: 'photos' }, { name: 'photos', after: 'more' }]);
  });

  it('`job queue` reports that a paused job handles no path, and the command that resumes the job', async () => {
    const { run } = await cliFixture({
      'jobs.queue': async () => ({ rows: [waiting], counts }),
      status: async () => statusOf(jobStatus({ state: 'paused' })),
    });
    const { stdout, stderr } = await run(['job', 'queue', 'photos']);
    expect(stdout + stderr).toContain(
      'job photos is paused and handles none of these paths: holdfast job resume photos',
    );
    expect(stdout + stderr).not.toContain('by itself');
  });

  it('`job queue` filters the paths by one reason, and reports an empty list', async () => {
    const { run } = await cliFixture({
      'jobs.queue': async ({ reason }) => ({ rows: reason === 'waiting' ? [waiting] : [], counts }),
    });
    const none = await run(['job', 'queue', 'photos', '--reason', 'drifted']);
    expect([none.exitCode, none.stdout + none.stderr]).toEqual([0, 'no path is drifted\n']);
    const some = await run(['job', 'queue', 'photos', '--reason', 'waiting', '--json']);
    expect([some.exitCode, jsonOf(some.stdout)]).toEqual([0, { rows: [waiting] }]);
    expect((await run(['job', 'queue', 'photos', '--reason', 'lost'])).exitCode).toBe(2);
  });
});
