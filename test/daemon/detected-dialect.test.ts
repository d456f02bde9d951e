/**
 * Tests of protocol detection with a service that supports only the protocol `s3`, with a wrong
 * access key, and with a service that is down.
 */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, expect, it, onTestFinished } from 'vitest';

import type { Result } from '../../src/control/messages.ts';
import { startDaemonHere, type DaemonHere } from '../helpers/daemon-here.ts';
import { withoutProgress } from '../helpers/cli-process.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { openS3Front } from '../helpers/s3-front.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

let store: DaemonHere;
let key: Result<'credentials'>;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hf-store-'));
  store = await startDaemonHere(join(folder, 'home'));
  key = await store.client.call('credentials', {});
  return async () => {
    await store.stop();
    rmSync(folder, { recursive: true });
  };
});

/**
 * Creates a home, and a folder with one file. `run` uses the access key of the store unless a test
 * sets another key.
 */
function fixture(name: string) {
  const place = temporaryFolder('hf-detect');
  const [folder, home] = [join(place, name), join(place, 'home')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'plan.txt'), 'a plan');
  makeHome(home);
  const run = async (argv: readonly string[], other: Partial<typeof key> = {}) => {
    const { accessKeyId, secretAccessKey } = { ...key, ...other };
    const env = {
      HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
      HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
    };
    return withoutProgress(await runCliHere([...argv, '--home', home], { env }));
  };
  const config = () => readFileSync(join(home, 'config.yaml'), 'utf8');
  return { place, folder, home, run, config };
}

/** Starts an HTTP server that supports neither `s3` nor `svc`, like a website. Returns its URL. */
async function openWebsite(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>no such page</html>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openDaemon(home: string): Promise<DaemonHere> {
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** Returns a free port on which a test can start a service later. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const targetOf = (url: string) => {
  const { accessKeyId, secretAccessKey } = key;
  return { endpoint: url, name: 'far', accessKeyId, secretAccessKey };
};

it('`up` and `restore --from` need no --protocol option for a service that supports only the protocol `s3`', async () => {
  const { place, folder, run, config } = fixture('photos');
  const { url, signatures } = await openS3Front(key.endpointUrl);
  expect(await run(['up', folder, '--once', '--to', url])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(config()).not.toContain('protocol');
  const back = join(place, 'back');
  expect(await run(['restore', '--from', `${url}/photos`, '--to', back])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(readFileSync(join(back, 'plan.txt'), 'utf8')).toBe('a plan');
  expect(new Set(signatures)).toEqual(new Set(['AWS4-HMAC-SHA256']));
});

it.each([
  ['up', (url: string) => ['up', 'FOLDER', '--once', '--to', url]],
  ['restore --from', (url: string) => ['restore', '--from', `${url}/any`, '--to', 'FOLDER']],
])(
  'the error of `%s` distinguishes a wrong access key, a wrong service and a wrong protocol',
  async (_, argvOf) => {
    const { folder, run, config } = fixture('docs');
    const { url } = await openS3Front(key.endpointUrl);
    const before = config();
    const returned = async (to: string, other = {}, ...more: string[]) => {
      const argv = argvOf(to).map((each) => (each === 'FOLDER' ? folder : each));
      const { exitCode, stderr } = await run([...argv, ...more], other);
      // An option with the wrong protocol is a usage error.
      expect(exitCode).toBe(more.length > 0 ? 2 : 1);
      return stderr;
    };
    const secret = await returned(url, { secretAccessKey: 'wrong' });
    expect(secret).toContain(
      `cannot use ${url}: the secret of access key ${key.accessKeyId} is wrong\n  check the secret`,
    );
    const unknown = await returned(url, { accessKeyId: 'AKIAUNKNOWN' });
    expect(unknown).toContain(
      `cannot use ${url}: it does not know the access key AKIAUNKNOWN\n  check the access key ID`,
    );
    const website = await openWebsite();
    expect(await returned(website)).toContain(
      `cannot use ${website}: it supports no protocol of Holdfast (neither AWS4-HMAC-SHA256 nor SVC4-HMAC-SHA256 signatures); ` +
        'check that the endpoint and its port are those of an S3 service',
    );
    expect(await returned(url, {}, '--protocol', 'svc')).toContain(
      'it does not accept the signatures of this protocol; remove --protocol',
    );
    expect(config()).toBe(before);
  },
);

it('a target whose service is down can be added, and its protocol is detected when the service first responds', async () => {
  const { folder, home } = fixture('later');
  const { client } = await openDaemon(home);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const added = await client.call('targets.add', targetOf(url));
  expect(added.warning).toContain(
    'saved, but the key and the protocol could not be checked yet: cannot connect to',
  );
  const known = async () => (await client.call('targets.list', {})).targets[0]?.protocol;
  expect(await known()).toBeUndefined();
  await expect(client.call('jobs.add', { folder, target: 'far' })).rejects.toMatchObject({
    code: 'Transport',
    hint: expect.stringContaining('--bucket NAME') as string,
  });
  await client.call('jobs.add', { folder, target: 'far', bucket: 'later' });
  const { signatures } = await openS3Front(key.endpointUrl, port);
  await until(
    async () => (await client.call('status', {})).jobs[0],
    (job) => job?.inSync === true,
  );
  expect(await known()).toBe('s3');
  expect(new Set(signatures)).toEqual(new Set(['AWS4-HMAC-SHA256']));
});

it('an access key that could not be tested does not replace the key of a target', async () => {
  const { home } = fixture('kept');
  const { client } = await openDaemon(home);
  const url = `http://127.0.0.1:${await freePort()}`;
  await client.call('targets.add', targetOf(url));
  const again = { ...targetOf(url), secretAccessKey: 'another' };
  await expect(client.call('targets.add', again)).resolves.toMatchObject({
    existing: true,
    warning: expect.stringContaining('the stored key was not replaced') as string,
  });
  const kept = JSON.parse(readFileSync(join(home, 'credentials', 'far.json'), 'utf8')) as unknown;
  expect(kept).toMatchObject({ secretAccessKey: key.secretAccessKey });
});

it('--protocol for an existing target is written to the configuration of that target', async () => {
  const { home, config } = fixture('stated');
  const { client } = await openDaemon(home);
  const target = targetOf(key.endpointUrl);
  await client.call('targets.add', target);
  expect(config()).not.toContain('protocol');
  const stated = { endpoint: target.endpoint, protocol: 'svc' as const };
  const { diff } = await client.call('targets.plan', stated);
  expect(diff.filter(({ is }) => is === 'added')).toMatchObject([{ text: '    protocol: svc' }]);
  await client.call('targets.add', { ...target, ...stated });
  expect(config()).toContain('    protocol: svc\n');
  const { targets } = await client.call('targets.list', {});
  expect(targets).toMatchObject([{ name: 'far', protocol: 'svc' }]);
});

it('`init` distinguishes a wrong secret from a wrong protocol, and writes no file', async () => {
  const { folder, run, config } = fixture('first');
  const { url } = await openS3Front(key.endpointUrl);
  const before = config();
  const init = async (to: string, other = {}) => {
    const { exitCode, stderr } = await run(['init', folder, '--to', to, '--yes'], other);
    expect(exitCode).toBe(1);
    return stderr;
  };
  expect(await init(url, { secretAccessKey: 'wrong' })).toContain('the service refuses the key');
  const website = await openWebsite();
  expect(await init(website)).toContain(
    `cannot use ${website}: it supports no protocol of Holdfast`,
  );
  expect(config()).toBe(before);
});
