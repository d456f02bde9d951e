/** Tests of `holdfast doctor` in a home with twelve faults, and in homes without these faults. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { Finding } from '../../src/base/finding.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const TWO_HOURS_MS = 2 * 3_600_000;

async function doctor(home: string) {
  const options = { env: { HOLDFAST_HOME: home, PATH: process.env['PATH'] }, clock: systemClock };
  const returned = await runCli(['doctor', '--json'], options);
  const { findings } = jsonOf(returned.stdout) as { findings: readonly Finding[] };
  return { ...returned, findings, human: (await runCli(['doctor'], options)).stdout };
}

/** Starts an HTTP server that sends these headers in every response. Returns its URL. */
async function serving(headers: () => Record<string, string>): Promise<string> {
  const body = '<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>';
  const server = createServer((_request, response) => {
    response.sendDate = false;
    response.writeHead(200, { ...headers(), 'content-type': 'application/xml' }).end(body);
  });
  await once(server.listen({ host: '127.0.0.1', port: 0 }), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Starts a service with two buckets: one without Object Lock, and one with a lifecycle rule that
 * deletes objects.
 */
async function remote(folder: string) {
  const home = join(folder, 'remote');
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  const { client } = daemon;
  const credentials = await client.call('credentials', {});
  const run = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home } });
  await run('s3', 'mb', 'plain');
  await run('s3', 'mb', 'ruled', '--object-lock');
  const { stderr } = await run('s3', 'lifecycle', 'add', 'ruled', 'week', '--expire-after', '7');
  expect(stderr).toBe('');
  return { home, ...credentials };
}

describe('`doctor`', () => {
  it('`doctor` finds each of twelve faults, and suggests a command for each fault', async () => {
    const folder = temporaryFolder('hf-doctor');
    const home = join(folder, 'home');
    const service = await remote(folder);
    const skewed = await serving(() => ({
      date: new Date(systemClock.now() + TWO_HOURS_MS).toUTCString(),
    }));
    const taken = await serving(() => ({}));
    for (const name of ['home/credentials', 'docs', 'ruled', 'plain'])
      mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    const target = (name: string, endpoint: string) =>
      `  - {name: ${name}, endpoint: '${endpoint}'}\n`;
    const job = (name: string, rest: string) =>
      `  - {name: ${name}, folder: ../${name}, bucket: ${name}, ${rest}}\n`;
    const lock = (days: number, refreshDays: number) =>
      `lock: {mode: GOVERNANCE, days: ${days}, refreshDays: ${refreshDays}}`;
    writeFileSync(
      join(home, 'config.yaml'),
      `storage: {port: ${new URL(taken).port}}\ntargets:\n` +
        target('good', service.endpointUrl) +
        target('refused', service.endpointUrl) +
        target('open', service.endpointUrl) +
        target('missing', service.endpointUrl) +
        target('gone', 'http://127.0.0.1:1') +
        target('skewed', skewed) +
        'jobs:\n' +
        job('plain', `target: good, ${lock(30, 7)}`) +
        job('ruled', `target: good, ${lock(30, 7)}`) +
        job('docs', lock(2, 7)) +
        job('nowhere', 'target: local'),
      { mode: 0o600 },
    );
    const { accessKeyId, secretAccessKey } = service;
    const secretOf = (name: string, secret = secretAccessKey) => {
      const file = join(home, 'credentials', `${name}.json`);
      writeFileSync(file, JSON.stringify({ accessKeyId, secretAccessKey: secret }), {
        mode: 0o600,
      });
      return file;
    };
    for (const name of ['good', 'gone', 'skewed']) secretOf(name);
    secretOf('refused', 'not-the-secret-of-anybody');
    chmodSync(secretOf('open'), 0o644);
    writeFileSync(join(home, 'control.sock'), 'no socket', { mode: 0o600 });
    chmodSync(home, 0o770);

    const { exitCode, findings, human, stdout } = await doctor(home);
    const planted: readonly (readonly [check: string, message: RegExp, fix: RegExp])[] = [
      ['home', /^other users may write to .*home$/, /^chmod go-w .*home$/],
      ['daemon', /control\.sock is not a socket/, /^mv /],
      ['ports', /^storage\.port: .* \(pid \d+\) uses the port$/, /^ss /],
      ['folder of nowhere', /nowhere does not exist$/, /^holdfast restore nowhere --in-place/],
      ['locks of docs', /renewed every 7 days and end 2 days later/, /^holdfast job edit docs /],
      ['bucket of plain', /plain has no Object Lock/, /^holdfast s3 mb plain-locked --object-lock/],
      [
        'bucket of ruled',
        /lifecycle rule week .* locks them for 30 days/,
        /^holdfast s3 lifecycle remove ruled 'week' --target good$/,
      ],
      ['credentials of open', /other users may read it/, /^chmod 600 .*open\.json'$/],
      ['credentials of missing', /the file does not exist/, /target set-key/],
      ['service refused', /refuses the key/, /target set-key/],
      ['service gone', /cannot be reached/, /^curl /],
      ['clock of skewed', /2\.0 hours ahead of this machine/, /timedatectl/],
    ];
    for (const [check, message, fix] of planted) {
      expect(findings).toContainEqual({
        check,
        severity: expect.stringMatching(/^(failed|attention)$/) as string,
        message: expect.stringMatching(message) as string,
        fix: expect.stringMatching(fix) as string,
      });
    }
    const bad = findings.filter(
      ({ severity }) => severity === 'failed' || severity === 'attention',
    );
    expect(bad.map(({ check }) => check).toSorted()).toEqual(
      planted.map(([check]) => check).toSorted(),
    );
    expect(exitCode).toBe(1);
    expect(human).toContain('9 failures, 3 warnings');
    expect(stdout + human).not.toContain(secretAccessKey);
    expect(stdout + human).not.toContain('not-the-secret');
  });

  it('`doctor` finds no fault in a home whose daemon backs up a folder', async () => {
    const home = temporaryFolder('hf-doctor-good');
    const folder = temporaryFolder('hf-doctor-docs');
    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    const { job } = await daemon.client.call('jobs.add', { folder, bucket: 'docs' });
    await daemon.client.call('jobs.settled', { name: job.name });
    const { exitCode, findings, human } = await doctor(home);
    expect(findings.filter(({ severity }) => severity === 'failed')).toEqual([]);
    expect(exitCode).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'bucket of docs', severity: 'good' }),
    );
    expect(human).toContain('in order');
    expect(findings.map(({ fix }) => fix)).not.toContain('holdfast service run');
  });

  it('`doctor` checks the access key of each cluster service', async () => {
    const home = temporaryFolder('hf-doctor-clusters');
    const services = ['near', 'far'].map(
      (name) => `{name: ${name}, url: "https://${name}.example"}`,
    );
    const config = `clusters: {services: [${services.join(', ')}]}\n`;
    writeFileSync(join(home, 'config.yaml'), config, { mode: 0o600 });
    mkdirSync(join(home, 'credentials'), { mode: 0o700 });
    const key = JSON.stringify({ accessKeyId: 'id', secretAccessKey: 'secret' });
    writeFileSync(join(home, 'credentials/near.json'), key, { mode: 0o600 });
    const { findings } = await doctor(home);
    const ofClusters = findings.filter(({ check }) => check.includes('cluster service'));
    expect(ofClusters).toMatchObject([
      { check: 'credentials of cluster service near', severity: 'good' },
      { check: 'credentials of cluster service far', severity: 'failed' },
    ]);
  });

  it('`doctor` reports a mistake in config.yaml, and still runs the other checks', async () => {
    const home = temporaryFolder('hf-doctor-config');
    writeFileSync(join(home, 'config.yaml'), 'jobs: 7\n', { mode: 0o600 });
    const { exitCode, findings } = await doctor(home);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'config.yaml',
        severity: 'failed',
        fix: 'holdfast config check',
      }),
    );
    expect(findings.map(({ check }) => check)).toContain('system service');
    expect(exitCode).toBe(1);
  });
});
