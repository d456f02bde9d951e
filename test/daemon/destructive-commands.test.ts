/**
 * Tests of destructive commands. Without a terminal they require `--yes`, and on a terminal they
 * ask for confirmation.
 */

import { dirname } from 'node:path';
import { Readable } from 'node:stream';

import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import { destructionOf } from '../../src/cli/declare.ts';
import { runProgram } from '../../src/cli/program.ts';
import { SIMPLE_COMMANDS } from '../../src/cli/simple-commands.ts';
import { METHODS } from '../../src/control/messages.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { declaredProgram } from '../helpers/declared-program.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { daemonStatus, jobStatus } from '../helpers/job-status.ts';
import { CapturedSink, runCli } from '../helpers/run-cli.ts';

/**
 * A command line for each destructive command that only calls one control method. The name of each
 * argument is used as its value.
 */
const SIMPLE_CALLS = SIMPLE_COMMANDS.filter(
  ({ destroys, destroysIf }) => destroys !== undefined && !destroysIf,
).map(({ topic, usage }) => {
  const [name, ...args] = usage.replaceAll(/[<>]/g, '').split(' ');
  return [[...topic, name].join(' '), [[...topic, name, ...args].join(' ')]];
});

/** Command lines to test, by the name of the destructive command. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  ...(Object.fromEntries(SIMPLE_CALLS) as Readonly<Record<string, readonly string[]>>),
  'job remove': ['job remove photos', 'job remove photos --json'],
  'job keep': ['job keep photos'],
  'job edit': ['job edit photos lock=', 'job edit photos lock=null'],
  'job accept-root': ['job accept-root photos'],
  'lock release': ['lock release photos /pictures/a /pictures/b'],
  'job forget': ['job forget photos /pictures/a'],
  's3 rm': [
    's3 rm photos/a',
    's3 rm photos/a --version-id v1',
    's3 rm photos -r',
    's3 rm photos -r --all-versions --target offsite',
  ],
  's3 rb': ['s3 rb photos'],
  's3 bucket remove': ['s3 bucket remove photos'],
  's3 tag remove': ['s3 tag remove photos/a year'],
  's3 encrypt remove': ['s3 encrypt remove photos/a --key-file k'],
  's3 link': ['s3 link --revoke-all'],
  'lock retention set': [
    'lock retention set photos/a --mode GOVERNANCE --for 1d --bypass-governance',
    'lock retention set photos/a --mode COMPLIANCE --for 1d',
    'lock retention set photos -r --mode compliance --until 2099-12-31 --target offsite',
  ],
  'lock retention extend': ['lock retention extend photos -r --for 1d'],
  'lock hold off': ['lock hold off photos/a'],
  'lock default set': ['lock default set photos --mode COMPLIANCE --years 7'],
  's3 lifecycle remove': ['s3 lifecycle remove photos week'],
  'admin keys rotate': ['admin keys rotate --grace 0'],
  'cluster delete': ['cluster delete prod'],
  'cluster nodegroups delete': ['cluster nodegroups delete prod workers'],
  'target remove': ['target remove far'],
  'admin store repair': ['admin store repair'],
  'admin store trust-clock': ['admin store trust-clock'],
  // `restore-state` asks for confirmation only in a home with a state, which
  // test/daemon/backup-state.test.ts tests.
  'admin restore-state': [],
};

/** Commands that are named like destructive commands, but destroy nothing of value. */
const HARMLESS: readonly string[] = [];

interface NamedCommand {
  readonly path: string;
  readonly command: Command;
}

async function allCommands(): Promise<readonly NamedCommand[]> {
  const program = await declaredProgram();
  const leaves = (command: Command, above: string): readonly NamedCommand[] => {
    const path = `${above}${command.name()}`;
    const below = command.commands.flatMap((each) => leaves(each, `${path} `));
    return [{ path, command }, ...below];
  };
  return program.commands.flatMap((each) => leaves(each, ''));
}

/** Starts a control server that records the called methods and makes each call fail. */
async function recordingDaemon() {
  const asked: string[] = [];
  const handlers = Object.fromEntries(
    Object.keys(METHODS).map((name) => [
      name,
      async () => {
        asked.push(name);
        throw new Error('not answered');
      },
    ]),
  ) as unknown as Partial<ControlHandlers>;
  const { socketPath } = await controlFixture(handlers);
  const home = dirname(socketPath);
  return { asked, home };
}

async function onTerminal(home: string, line: string | readonly string[], answer: string) {
  const stderr = new CapturedSink(80);
  const argv = typeof line === 'string' ? line.split(' ') : line;
  const exitCode = await runProgram(argv, {
    stdin: Object.assign(Readable.from([answer]), { isTTY: true }),
    stdout: new CapturedSink(80),
    stderr,
    env: { HOLDFAST_HOME: home },
    cwd: home,
    clock: new FakeClock(),
  });
  return { exitCode, stderr: stderr.text };
}

const calls = Object.values(CALLS).flat();

describe('destructive commands', () => {
  it('every command named remove, delete, rm, rb or forget is destructive, unless it is listed as harmless', async () => {
    const commands = await allCommands();
    const declared = commands.filter(({ command }) => destructionOf(command));
    expect(declared.map(({ path }) => path).toSorted()).toEqual(Object.keys(CALLS).toSorted());
    const named = commands.filter(({ path }) =>
      /(?:^| )(?:remove|delete|rm|rb|forget)$/.test(path),
    );
    const unasked = named.filter(({ command }) => !destructionOf(command)).map(({ path }) => path);
    expect(unasked).toEqual(HARMLESS);
  });

  it.each(calls)(
    'without a terminal, `%s` fails, suggests --yes and sends no request to the daemon',
    async (line) => {
      const { asked, home } = await recordingDaemon();
      const { exitCode, stderr, stdout } = await runCli(line.split(' '), {
        env: { HOLDFAST_HOME: home },
        cwd: home,
      });
      const [returned, other] = line.includes('--json') ? [stdout, stderr] : [stderr, stdout];
      expect({ exitCode, other, asked }).toEqual({ exitCode: 2, other: '', asked: [] });
      expect(returned).toMatch(/it needs --yes/);
      expect(returned).toContain(`Try: holdfast ${line} --yes`);
    },
  );

  it.each(calls.filter((line) => !line.includes('--json')))(
    'on a terminal, `%s` asks for confirmation, and changes nothing unless the answer is yes',
    async (line) => {
      const { asked, home } = await recordingDaemon();
      const changes = () =>
        asked.filter((name) => !/^(?:status|objects\.list|versions\.list)$/.test(name));
      const { exitCode } = await onTerminal(home, line, 'n\n');
      expect([exitCode, changes()]).toEqual([1, []]);
    },
  );

  it('the help of a destructive command says that it asks for confirmation, and needs --yes without a terminal', async () => {
    const { stdout } = await runCli(['s3', 'rb', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('without a terminal it needs --yes');
    expect(stdout).toContain('-y, --yes');
  });

  it('on a terminal, a destructive command runs after the answer yes', async () => {
    const deleted: unknown[] = [];
    const { socketPath } = await controlFixture({
      status: async () => daemonStatus(),
      'buckets.delete': async (params) => {
        deleted.push(params);
        return {};
      },
    });
    const { exitCode, stderr } = await onTerminal(dirname(socketPath), 's3 rb scratch', 'y\n');
    expect([exitCode, deleted]).toEqual([0, [{ bucket: 'scratch' }]]);
    expect(stderr).toContain('Remove bucket scratch? [y/N]');
  });

  it.each([
    ['prod\n', 'y\n'],
    ['workers\n', 'prod\n'],
  ])(
    'the command that deletes a cluster or node group requires the name %j as confirmation, and refuses %j',
    async (right, wrong) => {
      const [line, method] = right.startsWith('prod')
        ? ['cluster delete prod', 'clusters.delete']
        : ['cluster nodegroups delete prod workers', 'nodegroups.delete'];
      const { asked, home } = await recordingDaemon();
      const refused = await onTerminal(home, line, wrong);
      expect([refused.exitCode, asked]).toEqual([1, []]);
      expect(refused.stderr).toContain('not confirmed: nothing was changed');
      await onTerminal(home, line, right);
      expect(asked).toEqual([method]);
    },
  );
});

describe('commands that lock in COMPLIANCE mode', () => {
  const permanent = 'which no user can undo, not even the owner';
  const lock = 'lock={mode: COMPLIANCE, days: 30}';
  const also = 'also=[{target: far, lock: {mode: COMPLIANCE, days: 7}}]';

  it.each([
    [
      ['lock', 'retention', 'set', 'photos/a', '--mode', 'COMPLIANCE', '--until', '2099-12-31'],
      /Lock photos\/a in COMPLIANCE mode until 2099-12-31 00:00:00 [+-]\d\d:\d\d, which no user/,
    ],
    [
      ['lock', 'retention', 'set', 'photos/', '-r', '--mode', 'COMPLIANCE', '--for', '1d'],
      /Lock every object below photos\/ in COMPLIANCE mode until 2/,
    ],
    [
      ['lock', 'default', 'set', 'photos', '--mode', 'COMPLIANCE', '--years', '7'],
      /Lock every new version in bucket photos in COMPLIANCE mode for 7 years, which no user/,
    ],
    [
      ['job', 'edit', 'photos', lock],
      /Lock the versions of job photos in COMPLIANCE mode for at least 30 days each, which/,
    ],
    [
      ['job', 'edit', 'photos', also],
      /Lock the versions of job photos in COMPLIANCE mode for at least 7 days each, which/,
    ],
  ])(
    'the command %j asks for confirmation, and warns that no user can undo it',
    async (argv, question) => {
      const { asked, home } = await recordingDaemon();
      const { exitCode, stderr } = await onTerminal(home, argv, 'n\n');
      expect([exitCode, asked]).toEqual([1, []]);
      expect(stderr).toMatch(question);
      expect(stderr).toContain(`${permanent}? [y/N]`);
      const script = await runCli(argv, { env: { HOLDFAST_HOME: home }, cwd: home });
      expect([script.exitCode, asked]).toEqual([2, []]);
      expect(script.stderr).toContain(`${permanent}: without a terminal it needs --yes`);
    },
  );

  it.each([
    ['COMPLIANCE', 2],
    ['GOVERNANCE', 0],
  ] as const)(
    'extending a retention in %s mode exits with code %i without --yes',
    async (mode, code) => {
      const changed: unknown[] = [];
      const { socketPath } = await controlFixture({
        'retention.get': async () => ({ retention: { mode, retainUntil: 1 } }),
        'retention.set': async (params) => {
          changed.push(params);
          return {};
        },
      });
      const argv = ['lock', 'retention', 'extend', 'photos/a', '--for', '1d'];
      const { exitCode, stderr } = await runCli(argv, {
        env: { HOLDFAST_HOME: dirname(socketPath) },
      });
      expect([exitCode, changed.length]).toEqual([code, code === 0 ? 1 : 0]);
      if (code !== 0) expect(stderr).toContain(`cannot extend COMPLIANCE of photos/a until`);
    },
  );

  it.each([
    [
      [
        'lock',
        'retention',
        'set',
        'photos/',
        '-r',
        '--mode',
        'COMPLIANCE',
        '--for',
        '1d',
        '--dry-run',
      ],
    ],
    [['lock', 'retention', 'extend', 'photos/', '-r', '--for', '1d', '--dry-run']],
    [['job', 'edit', 'photos', lock, '--dry-run']],
    [['lock', 'retention', 'set', 'photos/a', '--mode', 'GOVERNANCE', '--for', '1d']],
    [['lock', 'default', 'set', 'photos', '--mode', 'GOVERNANCE', '--days', '1']],
  ])('the command %j does not ask for confirmation', async (argv) => {
    const { asked, home } = await recordingDaemon();
    await runCli(argv, { env: { HOLDFAST_HOME: home }, cwd: home });
    expect(asked).toHaveLength(1);
  });
});

describe('commands that delete from the bucket of a job', () => {
  const job = jobStatus({ name: 'docs', folder: '/home/ada/Docs', bucket: 'docs' });
  const below = jobStatus({ name: 'laptop', bucket: 'shared', prefix: 'laptop/' });
  const offsite = jobStatus({ name: 'docs@offsite', bucket: 'far', target: 'offsite' });

  async function daemonWithJobs() {
    const removed: string[] = [];
    const record = (name: string) => async () => {
      removed.push(name);
      throw new Error('not answered');
    };
    const { socketPath } = await controlFixture({
      status: async () => daemonStatus(job, below, offsite),
      'buckets.delete': record('buckets.delete'),
      'objects.list': record('objects.list'),
      'objects.delete': record('objects.delete'),
      'objects.deleteMany': record('objects.deleteMany'),
      'versions.list': record('versions.list'),
      'versions.locks': async () => ({ objects: [{}] }),
    });
    return { removed, home: dirname(socketPath) };
  }

  it.each([
    ['s3 rb docs', 'docs'],
    ['s3 bucket remove docs', 'docs'],
    ['s3 rb shared', 'laptop'],
    ['s3 rb far --target offsite', 'docs@offsite'],
    ['s3 rm docs/a', 'docs'],
    ['s3 rm docs -r', 'docs'],
    ['s3 rm docs -r --dry-run', 'docs'],
    ['s3 rm docs/letters -r --all-versions', 'docs'],
    ['s3 rm shared/laptop/a', 'laptop'],
    ['s3 rm shared -r', 'laptop'],
    ['s3 rm far -r --target offsite', 'docs@offsite'],
  ])(
    '`%s` is refused because the job %s uses the bucket, and the error suggests removing that job first',
    async (line, name) => {
      const { removed, home } = await daemonWithJobs();
      const env = { HOLDFAST_HOME: home };
      const { exitCode, stderr } = await runCli([...line.split(' '), '--yes'], { env });
      expect([exitCode, removed]).toEqual([1, []]);
      expect(stderr).toContain(`job ${name} keeps the backup of`);
      expect(stderr).toContain(`Remove the job first: holdfast job remove ${name}\n`);
      const asked = await onTerminal(home, line, 'y\n');
      expect([asked.exitCode, removed]).toEqual([1, []]);
      expect(asked.stderr).not.toContain('[y/N]');
    },
  );

  it.each([
    ['s3 rm shared/other/a', 'objects.delete'],
    ['s3 rm shared/other -r', 'objects.list'],
    ['s3 rm docs/a --version-id v1', 'objects.delete'],
    ['s3 rm far/a', 'objects.delete'],
    ['s3 rb docs --target offsite', 'buckets.delete'],
  ])('`%s` is not refused, because it deletes no current object of a job', async (line, method) => {
    const { removed, home } = await daemonWithJobs();
    await runCli([...line.split(' '), '--yes'], { env: { HOLDFAST_HOME: home } });
    expect(removed).toEqual([method]);
  });
});
