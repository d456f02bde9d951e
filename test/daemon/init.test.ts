/**
 * Tests of `holdfast init` with a script, with options, on a terminal, and when its input ends
 * early.
 */

import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { runCliProcess } from '../helpers/cli-process.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { runCliHere, type CliOptions, runCli, jsonOf, errorOf } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

function fixture() {
  const place = temporaryFolder('hf-init');
  const home = join(place, 'home');
  const folder = join(place, 'My Notes');
  mkdirSync(join(folder, 'build'), { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'four');
  writeFileSync(join(folder, 'build', 'b.o'), 'not this');
  const run = (argv: readonly string[], { env, ...options }: CliOptions = {}) =>
    runCli(['init', ...argv], {
      clock: systemClock,
      env: { HOLDFAST_HOME: home, ...env },
      ...options,
    });
  const written = () => readFileSync(join(home, 'config.yaml'), 'utf8');
  return { home, folder, run, written };
}

/** Returns a port on which this process listens until the test ends. */
async function usedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns text that was wrapped for a terminal as a single line. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('`init`', () => {
  it('`init` reads its answers line by line from standard input, and reports how much data it would upload', async () => {
    const { folder, home, run, written } = fixture();
    const stdin = `${folder}\nlocal\n\ngovernance\n14\ny\n`;
    const argv = ['--exclude', 'build/', '--no-start'];
    const { exitCode, stdout, stderr } = await run(argv, { stdin });
    const shown = inOneLine(stderr);
    expect(shown).toContain('to upload 1 file, 4 B, in 0 folders; 0 links');
    expect(shown).toContain('4 B, and each replaced or deleted version for at least 14 more days');
    expect(shown).toContain('only an administrator may delete a version in its first 14 days');
    expect(shown).toContain('each lock is set for 21 days, and renewed after 7');
    expect(shown).toContain(`stored in ${home}/data/store`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('wrote job my-notes');
    expect(written()).toContain(
      `  - name: my-notes\n    folder: ${folder}\n    bucket: my-notes\n`,
    );
    expect(written()).toContain('mode: GOVERNANCE\n      days: 14\n      refreshDays: 7');
  });

  it('`init` changes the port of the store to any free port if the configured port is in use, so that the first start succeeds', async () => {
    const { folder, home, written } = fixture();
    const port = await usedPort();
    makeHome(home, port);
    onTestFinished(() => runCliHere(['down', '--home', home]).then(() => undefined));
    const { exitCode, stdout, stderr } = await runCliProcess([
      'init',
      folder,
      '--yes',
      '--home',
      home,
    ]);
    expect(inOneLine(stderr)).toContain(
      `port ${port} is in use by node (pid ${process.pid}), so the store takes a free one at each start (storage: {port: 0})`,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('in sync');
    expect(written()).toMatch(/^storage:\n {2}port: 0\n/);
  });

  it('`init` only warns if the port of the metrics endpoint is in use, and names the configuration file to edit', async () => {
    const { folder, home, run } = fixture();
    const port = await usedPort();
    makeHome(home, 0, `metrics: {http: "127.0.0.1:${port}"}\n`);
    const { exitCode, stdout } = await run([folder, '--yes', '--json', '--no-start']);
    expect(exitCode).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({
      warnings: [
        `metrics.http: cannot listen on 127.0.0.1:${port}: node (pid ${process.pid}) uses the port; ` +
          `set another port in ${home}/config.yaml`,
      ],
    });
  });

  it('`init --yes` uses its options and the default answers', async () => {
    const { folder, run, written } = fixture();
    const argv = [folder, '--yes', '--json', '--bucket', 'notes', '--no-start'];
    const { exitCode, stdout } = await run(argv);
    expect(exitCode).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({ job: { name: 'notes', bucket: 'notes' }, files: 2 });
    expect(written()).toContain('mode: GOVERNANCE\n      days: 30');
  });

  it('`init` writes no file if the requested system service cannot be installed', async () => {
    const { folder, home, run } = fixture();
    const { exitCode, stdout } = await run([folder, '--yes', '--service', '--json']);
    expect([exitCode, errorOf(stdout)]).toMatchObject([1, { code: 'NotInstalled' }]);
    expect(existsSync(home)).toBe(false);
  });

  it('`init` on a terminal explains invalid answers, asks again, and writes nothing unless the last answer is yes', async () => {
    const { folder, home, run } = fixture();
    const stdin = `/nowhere\n\n~/no-such-folder\n${folder}\n7\n1\n\nperhaps\nc\n4\n3\n30\nn\n`;
    const { exitCode, stderr } = await run([], { stdin, columns: 100 });
    expect(stderr).toContain('/nowhere: the folder does not exist');
    expect(stderr).toContain('this needs an answer');
    expect(stderr).toContain(
      `cannot back up ${homedir()}/no-such-folder: the folder does not exist`,
    );
    expect(stderr).toContain('the list has no destination 7');
    expect(inOneLine(stderr)).toContain('not even you or the operator of the service');
    expect(stderr).toContain('"c" is not a lock policy');
    expect(stderr).toContain('"perhaps" is not a lock policy\n  choose one of none');
    expect(stderr).toContain('"4" is not a lock policy');
    const shown = inOneLine(stderr);
    expect(shown).toContain('no user may delete a version in its first 30 days');
    expect(shown).toContain(
      `The embedded store, in ${home}/data/store. On the disk of the folder, it`,
    );
    expect(shown).not.toContain('mistakes and ransomware');
    expect(shown.match(/\(y\/n\)/g)).toHaveLength(1);
    expect(shown).toContain(`Write the job to ${home}/config.yaml and start it? (y/n) [y]:`);
    expect(stderr).toContain('nothing was written');
    expect(exitCode).toBe(1);
    expect(existsSync(home)).toBe(false);
  });

  it('`init` names the unanswered question if its input ends early', async () => {
    const { folder, home, run } = fixture();
    const silent = await run([]);
    expect(silent.exitCode).toBe(2);
    expect(silent.stderr).toContain('init: standard input has no answer to "Folder to back up"');
    const early = await run([], { stdin: `${folder}\nlocal\n` });
    expect(early.stderr).toContain('has no answer to "Bucket"');
    expect(early.stderr).toContain('give --bucket');
    expect(existsSync(home)).toBe(false);
  });

  it('`init` tests the access key of a remote service, stores a valid key in a file, and reloads the daemon', async () => {
    const { folder, home, run, written } = fixture();
    const remote = await startDaemonHere(`${home}-remote`);
    onTestFinished(() => remote.stop());
    const { accessKeyId, secretAccessKey, endpointUrl } = await remote.client.call(
      'credentials',
      {},
    );
    const to = [folder, '--to', endpointUrl, '--protocol', 'svc', '--region', 'us-east-1', '--yes'];
    const env = (secret: string) => ({
      HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
      HOLDFAST_TARGET_SECRET_ACCESS_KEY: secret,
    });
    const refused = await run(to, { env: env('not-the-secret') });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('refuses the key');
    expect(refused.stderr).not.toContain('not-the-secret');
    const elsewhere = to.map((word) => (word === 'us-east-1' ? 'eu-central-1' : word));
    const misplaced = await run(elsewhere, { env: env(secretAccessKey) });
    expect(misplaced).toMatchObject({ exitCode: 1 });
    expect(misplaced.stderr).toContain('\n  --region us-east-1\n');
    expect(existsSync(home)).toBe(false);

    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    const done = await run([...to, '--lock', 'governance', '--days', '3'], {
      env: env(secretAccessKey),
    });
    expect(done).toMatchObject({ exitCode: 0 });
    expect(inOneLine(done.stderr)).toContain(
      '! this service lets only a key with full access renew GOVERNANCE',
    );
    expect(done.stdout).toMatch(/my-notes {2}in sync\n[^]*my-notes is kept against mistakes only/);
    expect(done.stdout).toContain(`holdfast restore --from ${endpointUrl}/my-notes --to DIR`);
    const name = /target: (\S+)/.exec(written())?.[1] ?? '';
    const file = join(home, 'credentials', `${name}.json`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(written() + done.stdout + done.stderr).not.toContain(secretAccessKey);
    const { job } = await daemon.client.call('jobs.settled', { name: 'my-notes' });
    expect(job).toMatchObject({ inSync: true, counts: { files: 2 }, locks: { locked: 2 } });
  });

  it('`init` reports after the first backup that the key may not renew GOVERNANCE locks, as `target test` does before it', async () => {
    const { folder, home, run } = fixture();
    const remote = await startDaemonHere(`${home}-remote`);
    onTestFinished(() => remote.stop());
    const { endpointUrl } = await remote.client.call('credentials', {});
    const laptop = await remote.client.call('users.add', {
      user: 'laptop',
      fullAccess: false,
      again: false,
    });
    const { secretAccessKey } = await remote.client.call('credentials', {
      accessKeyId: laptop.accessKeyId,
    });
    const env = {
      HOLDFAST_TARGET_ACCESS_KEY_ID: laptop.accessKeyId,
      HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
    };
    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    const lock = ['--yes', '--lock', 'governance', '--days', '3'];
    const done = await run([folder, '--to', `${endpointUrl}/notes`, ...lock], { env });
    expect(done.stdout).toContain('notes: restore test of');
    const fix = 'give the user of the key full access (there: holdfast admin users grant USER)';
    expect(inOneLine(done.stdout)).toContain('notes is at risk: locks cannot be renewed');
    expect(inOneLine(done.stdout)).toContain(fix);

    const args = [
      'target',
      'test',
      (await daemon.client.call('targets.list', {})).targets[0]?.name ?? '',
    ];
    const tested = await runCli(args, { clock: systemClock, env: { HOLDFAST_HOME: home, ...env } });
    expect(inOneLine(tested.stdout)).toContain('the key may not extend GOVERNANCE locks');
    expect(inOneLine(tested.stdout)).not.toContain('objects of the test remain');
    expect(inOneLine(tested.stdout)).toContain(fix);
    const another = [folder, '--to', `${endpointUrl}/notes/more`, ...lock, '--no-start'];
    const again = await run(another, { env: { ...env, HOLDFAST_HOME: `${home}-another` } });
    expect(inOneLine(again.stderr)).toContain(
      '! the key may not extend GOVERNANCE locks, so they will end',
    );
  });

  it('`init` starts the daemon in the background, shows the first backup, and names the next commands', async () => {
    const { folder, home } = fixture();
    makeHome(home);
    onTestFinished(() => runCliHere(['down', '--home', home]).then(() => undefined));
    const { exitCode, stdout } = await runCliProcess(['init', folder, '--yes', '--home', home]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('my-notes  in sync\n  2 files');
    expect(stdout).toContain('my-notes is kept against mistakes only: the store is on the same');
    const next = `Try next:\n  holdfast --home ${home} history '${folder}'\n  holdfast --home ${home} restore my-notes`;
    expect(stdout).toContain(next);
    expect(stdout).not.toContain('--from');
    const again = await runCliHere(['status', '--home', home]);
    expect(again.stdout).toContain('in sync');
  });

  it('`init` does not lock objects in a bucket without Object Lock', async () => {
    const { folder, home, run, written } = fixture();
    const remote = await startDaemonHere(`${home}-remote`);
    onTestFinished(() => remote.stop());
    const { accessKeyId, secretAccessKey, endpointUrl } = await remote.client.call(
      'credentials',
      {},
    );
    await remote.client.call('buckets.create', {
      bucket: 'plain',
      versioning: true,
      objectLock: false,
    });
    const env = {
      HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
      HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
    };
    const argv = [folder, '--to', `${endpointUrl}/plain/notes`, '--yes', '--no-start'];
    const refused = await run([...argv, '--lock', 'governance'], { env });
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('bucket plain has no Object Lock');
    expect(existsSync(home)).toBe(false);
    expect(await run(argv, { env })).toMatchObject({ exitCode: 0 });
    expect(written()).toContain('prefix: notes/');
    expect(written()).not.toContain('lock:');
  });
});
