/** Tests of the `target` commands, with a second Holdfast as the remote service. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function withTarget() {
  const folder = temporaryFolder('hf-target');
  const home = join(folder, 'home');
  const [remote, local] = [
    await startDaemonProcess(join(folder, 'remote')),
    await startDaemonProcess(home),
  ];
  onTestFinished(async () => {
    await local.kill();
    await remote.kill();
  });
  const { endpointUrl, accessKeyId, secretAccessKey } = await remote.client.call('credentials', {});
  const key = { accessKeyId, secretAccessKey };
  const env = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const cli = (line: string, more: Readonly<Record<string, string>> = env) =>
    runCli([...line.split(' '), '--home', home], { env: more, cwd: folder, clock: systemClock });
  const added = await cli(`target add ${endpointUrl} --name far`);
  expect(added).toEqual({ exitCode: 0, stdout: 'added target far\n', stderr: '' });
  return { folder, home, remote, endpointUrl, key, cli };
}

it('`target list` shows the endpoint of a target and the jobs that use it', async () => {
  const { folder, endpointUrl, cli } = await withTarget();
  mkdirSync(join(folder, 'docs'));
  expect((await cli('job add docs --target far')).exitCode).toBe(0);
  expect((await cli('wait')).exitCode).toBe(0);
  const { stdout } = await cli('target list');
  expect(stdout).toMatch(/^TARGET +ENDPOINT +REGION +PROTOCOL +JOBS\nfar +http/);
  expect(JSON.parse((await cli('target list --json')).stdout)).toEqual({
    targets: [
      { name: 'far', endpoint: endpointUrl, region: 'us-east-1', protocol: 's3', jobs: ['docs'] },
    ],
  });
  expect(await cli('target remove far --yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('job docs uses it') as string,
  });
});

it('`target add` saves no key that the service refuses, and none without a key', async () => {
  const { endpointUrl, cli } = await withTarget();
  const wrong = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: 'unknown',
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'secret',
  };
  const other = endpointUrl.replace('127.0.0.1', 'localhost');
  expect((await cli(`target add ${other} --name other`, wrong)).exitCode).toBe(1);
  expect((await cli(`target add ${other} --name other`, {})).stderr).toContain('no credentials');
  expect((await cli('target list')).stdout).not.toContain('other');
});

it('`target test` reports a key that the service refuses, also without a daemon, and `target set-key` replaces it', async () => {
  const { folder, home, remote, key, cli } = await withTarget();
  expect((await cli('target test far')).exitCode).toBe(0);
  const file = join(home, 'credentials', 'far.json');
  writeFileSync(file, JSON.stringify({ ...key, secretAccessKey: 'wrong' }));
  const { exitCode, stdout } = await cli('target test far');
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('target set-key far')]);

  const keyFile = join(folder, 'new-key.json');
  writeFileSync(keyFile, JSON.stringify(key), { mode: 0o600 });
  expect(await cli('target set-key far --credentials new-key.json', {})).toEqual({
    exitCode: 0,
    stdout: 'changed the key of target far\n',
    stderr: '',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(key);
  expect((await cli('target test far')).exitCode).toBe(0);
  await remote.kill();
  expect((await cli('target test far')).stdout).toContain('cannot be reached');
});

it('`target remove` removes a target and its key file', async () => {
  const { home, cli } = await withTarget();
  const file = join(home, 'credentials', 'far.json');
  expect((await cli('target remove far --yes')).stdout).toBe(
    `removed target far, and its key in ${file}\n`,
  );
  expect((await cli('target list')).stderr).toContain('no targets');
  expect((await cli('target remove far --yes')).exitCode).toBe(1);
});
