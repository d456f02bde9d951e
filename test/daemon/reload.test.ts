/** Tests of a daemon that reloads its configuration or a rotated access key without a restart. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

async function daemonWith(text: string, folder: string) {
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const config = join(home, 'config.yaml');
  const write = (lines: string) =>
    writeFileSync(config, `storage: {port: 0}\n${lines}`, { mode: 0o600 });
  write(text);
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  const reload = (...more: string[]) =>
    runCli(['config', 'reload', ...more], { env: { HOLDFAST_HOME: home } });
  return { home, daemon, write, reload };
}

describe('`config reload`', () => {
  it('`config reload` reports the changed lines, and their effect on each job', async () => {
    const folder = temporaryFolder('hf-reload');
    for (const name of ['a', 'b', 'c', 'd']) mkdirSync(join(folder, name));
    const job = (name: string, more = '') =>
      `  - {name: ${name}, folder: ../${name}, bucket: job-${name}${more}}\n`;
    const before = `jobs:\n${job('a')}${job('b')}${job('c')}`;
    const { daemon, write, reload } = await daemonWith(before, folder);
    const removed: string[] = [];
    daemon.client.onEvent(({ event }) => {
      if (event.type === 'job.removed') removed.push(event.name);
    });
    await daemon.client.subscribe();
    write(`logLevel: debug\njobs:\n${job('a')}${job('b', ', verifyDays: 7')}${job('d')}`);
    const returned = await reload();
    expect(
      returned.stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith(' ')),
    ).toEqual([
      '+logLevel: debug',
      '-  - {name: b, folder: ../b, bucket: job-b}',
      '-  - {name: c, folder: ../c, bucket: job-c}',
      '+  - {name: b, folder: ../b, bucket: job-b, verifyDays: 7}',
      '+  - {name: d, folder: ../d, bucket: job-d}',
      'job c: stopped',
      'job b: restarted',
      'job d: started',
      '! config.yaml: the change of logLevel takes effect at the next start',
    ]);
    expect((await reload()).stdout).toContain('all jobs continue unchanged');
    const { jobs } = await daemon.client.call('status', {});
    expect(jobs.map(({ name }) => name)).toEqual(['a', 'b', 'd']);
    expect(removed).toEqual(['c']);
  });

  it('`config reload` with an invalid file changes nothing, and reports the mistakes', async () => {
    const folder = temporaryFolder('hf-reload-bad');
    const { write, reload } = await daemonWith('', folder);
    write('jobs: 7\n');
    const { exitCode, stderr } = await reload();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('jobs: must be a list');
  });
});

describe('a daemon that is starting', () => {
  it('a starting daemon lists its jobs in the first response, even if their credential program is slow', async () => {
    const folder = temporaryFolder('hf-slow-key');
    mkdirSync(join(folder, 'docs'));
    const profileFile = join(folder, 'aws-config');
    const program = `[profile far]\ncredential_process = sh -c 'sleep 0.5; exit 1'\n`;
    writeFileSync(profileFile, program, { mode: 0o600 });
    const { daemon } = await daemonWith(
      `targets:\n  - {name: far, endpoint: 'http://127.0.0.1:1', credentials: {profile: far, profileFile: '${profileFile}'}}\n` +
        'jobs:\n  - {name: docs, folder: ../docs, bucket: docs, target: far}\n',
      folder,
    );
    const { jobs } = await daemon.client.call('status', {});
    expect(jobs.map(({ name }) => name)).toEqual(['docs']);
  });
});

describe('an access key that was rotated', () => {
  it('the daemon reads an access key again when the service refuses the old key, and never logs the key', async () => {
    const folder = temporaryFolder('hf-rotated');
    const remote = await startDaemonHere(join(folder, 'remote'));
    onTestFinished(() => remote.stop());
    const first = await remote.client.call('credentials', {});
    const printed = join(folder, 'printed.json');
    const print = (key: { accessKeyId: string; secretAccessKey: string }) =>
      writeFileSync(
        printed,
        JSON.stringify({ accessKeyId: key.accessKeyId, secretAccessKey: key.secretAccessKey }),
      );
    print(first);
    const profileFile = join(folder, 'aws-config');
    const program = `[profile far]\ncredential_process = cat '${printed}'\n`;
    writeFileSync(profileFile, program, { mode: 0o600 });
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'a.txt'), 'a');
    const { home, daemon } = await daemonWith(
      `targets:\n  - {name: far, endpoint: '${first.endpointUrl}', credentials: {profile: far, profileFile: '${profileFile}'}}\n` +
        'jobs:\n  - {name: docs, folder: ../docs, bucket: docs, target: far}\n',
      folder,
    );
    await daemon.client.call('jobs.settled', { name: 'docs' });

    await remote.client.call('keys.rotate', { graceMs: 0 });
    const second = await remote.client.call('credentials', {});
    expect(second.accessKeyId).not.toBe(first.accessKeyId);
    print(second);
    writeFileSync(join(folder, 'docs', 'b.txt'), 'b');
    await until(
      async () => (await daemon.client.call('status', {})).jobs[0],
      (job) => job?.counts.files === 2 && job.inSync,
    );
    const log = readFileSync(join(home, 'state', 'holdfast.log'), 'utf8');
    expect(log).toContain('target keys: jobs use a new key');
    for (const { secretAccessKey } of [first, second]) expect(log).not.toContain(secretAccessKey);
  });
});

describe('the id of a request', () => {
  it('a request has the same id in the logs of the client and the service, and in its trace', async () => {
    const folder = temporaryFolder('hf-request-ids');
    const remoteHome = join(folder, 'remote');
    mkdirSync(remoteHome, { mode: 0o700 });
    const levels = 'storage: {port: 0}\nlogLevels: {gateway: debug, client: debug}\n';
    writeFileSync(join(remoteHome, 'config.yaml'), levels, { mode: 0o600 });
    const remote = await startDaemonHere(remoteHome);
    onTestFinished(() => remote.stop());
    const { endpointUrl, ...key } = await remote.client.call('credentials', {});
    const target = `targets:\n  - {name: far, endpoint: '${endpointUrl}', credentials: {environment: FAR}}\n`;
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.yaml'), levels + target, { mode: 0o600 });
    const env = {
      ...process.env,
      FAR_ACCESS_KEY_ID: key.accessKeyId,
      FAR_SECRET_ACCESS_KEY: key.secretAccessKey,
    };
    const daemon = await startDaemonProcess(home, { env });
    onTestFinished(() => daemon.kill());
    await daemon.client.call('buckets.list', { target: 'far' });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await fetch(endpointUrl, { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });

    const linesOf = (place: string) =>
      readFileSync(join(place, 'state', 'holdfast.log'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const asked = linesOf(home).find(({ area, msg }) => area === 'client' && msg === 'answered');
    expect(asked).toMatchObject({ operation: 'ListBuckets', status: 200 });
    expect(linesOf(remoteHome)).toContainEqual(
      expect.objectContaining({ area: 'gateway', requestId: asked?.['requestId'] }),
    );
    await until(
      () => linesOf(remoteHome),
      (lines) => lines.some((line) => line['traceId'] === traceId),
    );
  });
});
