/** Tests of destructive commands: without a terminal they need `--yes`, and on a terminal they ask for confirmation. */

import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control-server.ts';
import { destructionOf } from '../../src/cli/declare.ts';
import { declareProgram, runProgram } from '../../src/cli/program.ts';
import { METHODS } from '../../src/control/messages.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { daemonStatus, jobStatus } from '../helpers/job-status.ts';
import { CapturedSink, runCli } from '../helpers/run-cli.ts';

/** Command lines to test for each destructive command, by the name of the command. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'jobs remove': ['jobs remove photos', 'jobs remove photos --json'],
  'jobs keep': ['jobs keep photos'],
  'jobs edit': ['jobs edit photos lock='],
  'jobs accept-root': ['jobs accept-root photos'],
  release: ['release photos /pictures/a /pictures/b'],
  forget: ['forget photos /pictures/a'],
  rm: [
    'rm photos/a',
    'rm photos/a --version-id v1',
    'rm photos -r',
    'rm photos -r --all-versions --target offsite',
  ],
  rb: ['rb photos'],
  'bucket remove': ['bucket remove photos'],
  'tag remove': ['tag remove photos/a year'],
  'encrypt remove': ['encrypt remove photos/a --key-file k'],
  link: ['link --revoke-all'],
  'retention set': ['retention set photos/a --mode GOVERNANCE --for 1d --bypass-governance'],
  'hold off': ['hold off photos/a'],
  'lock remove': ['lock remove photos', 'lock cancel photos'],
  'versioning suspend': ['versioning suspend photos'],
  'lifecycle remove': ['lifecycle remove photos week'],
  'lifecycle run': ['lifecycle run'],
  'website remove': ['website remove pages'],
  'cors remove': ['cors remove pages'],
  'policy remove': ['policy remove photos'],
  'alarms remove': ['alarms remove full'],
  'keys rotate': ['keys rotate --grace 0'],
  'keys remove': ['keys remove holdfast:a@local'],
  'users remove': ['users remove ann'],
  'groups remove': ['groups remove admins'],
  'projects remove': ['projects remove films'],
  'clusters delete': ['clusters delete prod'],
  'nodegroups delete': ['nodegroups delete prod workers'],
  'store repair': ['store repair'],
  'store trust-clock': ['store trust-clock'],
  // This command asks only in a home with a state. test/daemon/backup-state.test.ts tests that.
  'restore-state': [],
};

/** Commands that are named like destructive ones, but destroy nothing of value. */
const HARMLESS: readonly string[] = [];

const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });

function allCommands(): readonly { readonly path: string; readonly command: Command }[] {
  const program = new Command('holdfast');
  const io = { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env: {}, cwd: '.' };
  declareProgram(program, { ...io, clock: new FakeClock() }, () => Promise.resolve());
  const leaves = (command: Command, above: string): ReturnType<typeof allCommands> => {
    const path = `${above}${command.name()}`;
    const below = command.commands.flatMap((each) => leaves(each, `${path} `));
    return [{ path, command }, ...below];
  };
  return program.commands.flatMap((each) => leaves(each, ''));
}

/** Starts a control server that records the called methods, and fails each call. */
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

async function onTerminal(home: string, line: string, answer: string) {
  const stderr = new CapturedSink(80);
  const exitCode = await runProgram(line.split(' '), {
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

describe('a destructive command', () => {
  it('every command called remove, delete, rm, rb or forget is destructive, except those listed', () => {
    const commands = allCommands();
    const declared = commands.filter(({ command }) => destructionOf(command));
    expect(declared.map(({ path }) => path).toSorted()).toEqual(Object.keys(CALLS).toSorted());
    const named = commands.filter(({ path }) =>
      /(?:^| )(?:remove|delete|rm|rb|forget)$/.test(path),
    );
    const unasked = named.filter(({ command }) => !destructionOf(command)).map(({ path }) => path);
    expect(unasked).toEqual(HARMLESS);
  });

  it.each(calls)(
    'without a terminal, `%s` fails, suggests --yes and sends nothing to the daemon',
    async (line) => {
      const { asked, home } = await recordingDaemon();
      const { exitCode, stderr, stdout } = await runCli(line.split(' '), {
        env: { HOLDFAST_HOME: home },
        cwd: home,
      });
      expect({ exitCode, stdout, asked }).toEqual({ exitCode: 2, stdout: '', asked: [] });
      expect(stderr).toMatch(/it needs --yes/);
      expect(stderr).toContain(`Try: holdfast ${line} --yes`);
    },
  );

  it.each(calls.filter((line) => !line.includes('--json')))(
    'on a terminal, `%s` asks for confirmation, and changes nothing after any answer but yes',
    async (line) => {
      const { asked, home } = await recordingDaemon();
      const changes = () =>
        asked.filter((name) => !/^(?:status|objects\.list|versions\.list)$/.test(name));
      const { exitCode } = await onTerminal(home, line, 'n\n');
      expect([exitCode, changes()]).toEqual([1, []]);
    },
  );

  it('the help of a destructive command says that it asks, and that it needs --yes without a terminal', async () => {
    const { stdout } = await runCli(['rb', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('without a terminal it needs --yes');
    expect(stdout).toContain('-y, --yes');
  });

  it('a destructive command runs after the answer yes on a terminal', async () => {
    const deleted: unknown[] = [];
    const { socketPath } = await controlFixture({
      status: async () => daemonStatus(),
      'buckets.delete': async (params) => {
        deleted.push(params);
        return {};
      },
    });
    const { exitCode, stderr } = await onTerminal(dirname(socketPath), 'rb scratch', 'y\n');
    expect([exitCode, deleted]).toEqual([0, [{ bucket: 'scratch' }]]);
    expect(stderr).toContain('Remove bucket scratch? [y/N]');
  });

  it.each([
    ['prod\n', 'y\n'],
    ['workers\n', 'prod\n'],
  ])(
    'deleting a cluster or node group needs its name %j as confirmation, and %j is refused',
    async (right, wrong) => {
      const line = right.startsWith('prod')
        ? 'clusters delete prod'
        : 'nodegroups delete prod workers';
      const { asked, home } = await recordingDaemon();
      const refused = await onTerminal(home, line, wrong);
      expect([refused.exitCode, asked]).toEqual([1, []]);
      expect(refused.stderr).toContain('not confirmed: nothing was changed');
      await onTerminal(home, line, right);
      expect(asked).toEqual([`${line.split(' ')[0]}.delete`]);
    },
  );
});

describe('the bucket of a job', () => {
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
    ['rb docs', 'docs'],
    ['bucket remove docs', 'docs'],
    ['rb shared', 'laptop'],
    ['rb far --target offsite', 'docs@offsite'],
    ['rm docs/a', 'docs'],
    ['rm docs -r', 'docs'],
    ['rm docs/letters -r --all-versions', 'docs'],
    ['rm shared/laptop/a', 'laptop'],
    ['rm shared -r', 'laptop'],
    ['rm far -r --target offsite', 'docs@offsite'],
  ])(
    '`%s` is refused because job %s uses the bucket, and the error suggests to remove that job first',
    async (line, name) => {
      const { removed, home } = await daemonWithJobs();
      const env = { HOLDFAST_HOME: home };
      const { exitCode, stderr } = await runCli([...line.split(' '), '--yes'], { env });
      expect([exitCode, removed]).toEqual([1, []]);
      expect(stderr).toContain(`job ${name} keeps the backup of`);
      expect(stderr).toContain(`Remove the job first: holdfast jobs remove ${name}\n`);
      const asked = await onTerminal(home, line, 'y\n');
      expect([asked.exitCode, removed]).toEqual([1, []]);
      expect(asked.stderr).not.toContain('[y/N]');
    },
  );

  it.each([
    ['rm shared/other/a', 'objects.delete'],
    ['rm shared/other -r', 'objects.list'],
    ['rm docs -r --dry-run', 'objects.list'],
    ['rm docs/a --version-id v1', 'objects.delete'],
    ['rm far/a', 'objects.delete'],
    ['rb docs --target offsite', 'buckets.delete'],
  ])('`%s` is not refused, since it deletes no current object of a job', async (line, method) => {
    const { removed, home } = await daemonWithJobs();
    await runCli([...line.split(' '), '--yes'], { env: { HOLDFAST_HOME: home } });
    expect(removed).toEqual([method]);
  });
});
