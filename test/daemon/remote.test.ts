/** Tests of a job whose target is a second Holdfast with another home and port. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { Result } from '../../src/control/messages.ts';
import { collect } from '../../src/object-store/body.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { withoutProgress } from '../helpers/cli-process.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { checksums, makeTree, sha256 } from '../helpers/tree.ts';
import { until } from '../helpers/until.ts';

const PROTOCOLS = { svc: svcDialect('SVC'), s3: amzDialect };
const BUCKET = 'photos';
const TWENTY_MINUTES_MS = 20 * 60_000;
const BODY_LIMIT_BYTES = 2 ** 20;

type Credentials = Result<'credentials'>;

/** Creates a folder, a home for the daemon that backs up the folder, and a path for the remote home. */
function foldersFixture() {
  const folder = temporaryFolder('hf-remote');
  const root = join(folder, BUCKET);
  const remoteHome = join(folder, 'remote');
  const home = join(folder, 'home');
  mkdirSync(root);
  makeTree(root, 60);
  makeHome(home);
  return { folder, root, home, remoteHome };
}

/** Creates the folders, and starts the remote daemon. */
async function remoteFixture() {
  const folders = foldersFixture();
  const remote = await startDaemonHere(folders.remoteHome);
  onTestFinished(() => remote.stop());
  const credentials = await remote.client.call('credentials', {});
  return { ...folders, remote, credentials };
}

function clientOf(credentials: Credentials, protocol: keyof typeof PROTOCOLS, clock = systemClock) {
  const client = openSignedClient({
    endpoint: credentials.endpointUrl,
    region: credentials.region,
    dialect: PROTOCOLS[protocol],
    credentials,
    clock,
    logger: silentLogger,
  });
  onTestFinished(() => client.close());
  return client;
}

/** Returns the SHA-256 of the current version of each key outside `.holdfast/`. */
async function heads(client: ReturnType<typeof clientOf>): Promise<Map<string, string>> {
  const { objects } = await client.listObjects({ bucket: BUCKET });
  const files = objects.filter(({ key }) => !key.startsWith('.holdfast/'));
  return new Map(
    await Promise.all(
      files.map(async ({ key }): Promise<[string, string]> => {
        const { body } = await client.getObject({ bucket: BUCKET, key });
        return [key, sha256(await collect(body, BODY_LIMIT_BYTES))];
      }),
    ),
  );
}

function targetEnv({ accessKeyId, secretAccessKey }: Credentials) {
  return {
    HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

it('a remote service receives the whole folder, even if it is killed and restarted midway', async () => {
  const { folder, root, home, remoteHome } = foldersFixture();
  const remote = await startDaemonProcess(remoteHome);
  onTestFinished(() => remote.kill());
  const credentials = await remote.client.call('credentials', {});
  const up = await runCliHere(
    ['up', root, '--once', '--to', credentials.endpointUrl, '--protocol', 's3', '--home', home],
    { env: targetEnv(credentials) },
  );
  expect(withoutProgress(up)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(up.stdout).toContain(`bucket ${BUCKET} at ${credentials.endpointUrl}`);
  expect(up.stdout).not.toContain('same disk');
  expect(await heads(clientOf(credentials, 's3'))).toEqual(checksums(root));
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).not.toContain(
    credentials.secretAccessKey,
  );

  // The job retries at increasing intervals while the service is away.
  const daemon = await startDaemonHere(home, hastyClock(500));
  onTestFinished(() => daemon.stop());
  const job = async () => (await daemon.client.call('status', {})).jobs[0];
  const synced = await until(job, (status) => status?.inSync === true);
  expect(synced?.comparedAt).toBeTypeOf('number');
  // The test moves the complete files into the folder, so that the job cannot read a file while
  // it is being written.
  makeTree(join(folder, 'many'), 400);
  renameSync(join(folder, 'many'), join(root, 'many'));
  await until(job, (status) => (status?.counts.uploadedVersions ?? 0) > 20);
  await remote.kill();
  writeFileSync(join(root, 'written while it was away'), 'x');
  const waiting = await until(job, (status) => status?.inSync === false);
  expect(waiting?.problems).toEqual([]);
  makeHome(remoteHome, Number(new URL(credentials.endpointUrl).port));
  const back = await startDaemonHere(remoteHome);
  onTestFinished(() => back.stop());
  const done = await until(job, (status) => status?.inSync === true && status.counts.files === 461);
  expect(done?.problems).toEqual([]);
  const client = clientOf(credentials, 's3');
  expect(await heads(client)).toEqual(checksums(root));
  // The service stored some versions without acknowledging them. The job finds them by the ids in its upload journal,
  // and does not store them twice.
  const { versions } = await client.listVersions({ bucket: BUCKET, prefix: 'many/' });
  expect(versions).toHaveLength(400);
});

it.each(['svc', 's3'] as const)(
  'with the protocol %s, the service accepts requests of a client whose clock is off by 20 minutes',
  async (protocol) => {
    const { credentials } = await remoteFixture();
    const clock = { ...systemClock, now: () => systemClock.now() + TWENTY_MINUTES_MS };
    await expect(clientOf(credentials, protocol, clock).listBuckets()).resolves.toEqual([]);
  },
);

describe('a remote service over HTTPS', () => {
  it('a job trusts a remote HTTPS service only if the CA file is configured', async () => {
    const { folder, root, home, remoteHome, remote } = await remoteFixture();
    const { cert, key } = makeCertificate();
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
    await remote.stop();
    const tls = `{certFile: ${folder}/cert.pem, keyFile: ${folder}/key.pem, port: 0}`;
    writeFileSync(join(remoteHome, 'config.yaml'), `storage: {port: 0, tls: ${tls}}\n`);
    const secure = await startDaemonHere(remoteHome);
    onTestFinished(() => secure.stop());
    const credentials = await secure.client.call('credentials', {});
    const to = credentials.tlsEndpointUrl ?? '';
    const up = (...more: string[]) =>
      runCliHere(['up', root, '--once', '--home', home, '--to', to, ...more], {
        env: targetEnv(credentials),
      });
    const refused = await up();
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('its certificate is self-signed');
    expect(await up('--ca-file', join(folder, 'cert.pem'))).toMatchObject({ exitCode: 0 });
    expect(await heads(clientOf(credentials, 'svc'))).toEqual(checksums(root));
  });
});

it('`up --to HOST:PORT/BUCKET/PREFIX` backs up to that bucket, below that prefix', async () => {
  const { root, home, credentials, remote } = await remoteFixture();
  const to = `${credentials.endpointUrl.replace('http://', '')}/shared/laptop`;
  const up = await runCliHere(['up', root, '--once', '--to', to, '--home', home], {
    env: targetEnv(credentials),
  });
  expect(up).toMatchObject({ exitCode: 0 });
  const { objects } = await remote.client.call('objects.list', { bucket: 'shared' });
  const files = [...checksums(root).keys()].map((path) => `laptop/${path}`);
  expect(objects.map(({ key }) => key)).toEqual(expect.arrayContaining(files));
});

describe('the secret access key for a remote service', () => {
  it('`up` with a wrong secret fails, and the error names the access key and changes nothing', async () => {
    const { root, home, credentials, remote } = await remoteFixture();
    const before = readFileSync(join(home, 'config.yaml'), 'utf8');
    const up = await runCliHere(
      ['up', root, '--once', '--to', credentials.endpointUrl, '--home', home],
      { env: targetEnv({ ...credentials, secretAccessKey: 'not the secret' }) },
    );
    expect(up.exitCode).toBe(1);
    expect(up.stderr).toContain(`access key ${credentials.accessKeyId}`);
    expect(up.stderr).not.toContain('not the secret');
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(before);
    const secrets = join(home, 'credentials');
    expect(existsSync(secrets) ? readdirSync(secrets) : []).toEqual([]);
    await expect(remote.client.call('buckets.list', {})).resolves.toEqual({ buckets: [] });
  });

  it('jobs use a corrected secret as soon as it replaces the wrong secret', async () => {
    const { root, home, credentials } = await remoteFixture();
    const env = targetEnv(credentials);
    const argv = ['up', root, '--once', '--to', credentials.endpointUrl, '--home', home];
    await runCliHere(argv, { env });
    const [file = ''] = readdirSync(join(home, 'credentials'));
    const { accessKeyId } = credentials;
    const wrong = JSON.stringify({ accessKeyId, secretAccessKey: 'not the secret' });
    writeFileSync(join(home, 'credentials', file), wrong);

    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    const job = async () => (await daemon.client.call('status', {})).jobs[0];
    const failed = await until(job, (status) => status?.state === 'failed');
    expect(failed?.reason).toContain(`access key ${accessKeyId}`);
    const up = await runCliHere(argv, { env });
    expect(withoutProgress(up)).toMatchObject({ exitCode: 0, stderr: '' });
    await until(job, (status) => status?.inSync === true);
  });

  it('removing the last job of a target also removes the target and its secret on request', async () => {
    const { root, home, credentials } = await remoteFixture();
    const env = targetEnv(credentials);
    const options = ['--protocol', 's3', '--home', home];
    await runCliHere(['up', root, '--once', '--to', credentials.endpointUrl, ...options], {
      env,
    });
    const before = readdirSync(join(home, 'credentials'));
    expect(before).toHaveLength(1);

    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    const [target] = (await daemon.client.call('targets.list', {})).targets;
    const used = daemon.client.call('targets.remove', { name: target?.name ?? '' });
    await expect(used).rejects.toThrow(`job ${BUCKET} uses it`);
    expect(readdirSync(join(home, 'credentials'))).toEqual(before);

    const argv = ['job', 'remove', BUCKET, '--yes', '--remove-target', '--home', home];
    const removed = await runCliHere(argv);
    expect(removed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(removed.stdout).toContain(`removed target ${target?.name} and its key file`);
    expect(readdirSync(join(home, 'credentials'))).toEqual([]);
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).not.toContain(credentials.endpointUrl);
  });
});
