/** What gets things back, as people type it. One daemon: the service for another home, and with a job of its own. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import type { Result } from '../../src/control/messages.ts';
import { runCliProcess } from '../helpers/cli-process.ts';
import { type DaemonProcess, makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import { makeTree } from '../helpers/tree.ts';
import { picture } from '../helpers/tree-picture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hf-restore-'));
const serviceHome = join(folder, 'service');
let service: DaemonProcess;
let credentials: Result<'credentials'>;

beforeAll(async () => {
  makeHome(serviceHome);
  service = await startDaemonProcess(serviceHome);
  credentials = await service.client.call('credentials', {});
});

afterAll(async () => {
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

const secrets = () => ({
  HOLDFAST_TARGET_ACCESS_KEY_ID: credentials.accessKeyId,
  HOLDFAST_TARGET_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

describe('after the machine is lost', () => {
  it('the tree comes back from nothing but credentials, byte for byte with its metadata', async () => {
    const root = join(folder, 'papers');
    const home = join(folder, 'lost');
    makeTree(root, 120);
    mkdirSync(join(root, 'private'), { mode: 0o700 });
    writeFileSync(join(root, 'private/run'), '#!/bin/sh', { mode: 0o751 });
    symlinkSync('../private/run', join(root, 'folder 0/link'));
    execFileSync('touch', ['-d', '1969-12-30T10:00:00.123456789Z', join(root, 'private/run')]);
    makeHome(home);
    const up = ['up', root, '--once', '--to', credentials.endpointUrl, '--home', home];
    expect(await runCliProcess(up, { env: secrets() })).toMatchObject({ exitCode: 0 });
    const before = picture(root);
    rmSync(home, { recursive: true });
    rmSync(root, { recursive: true });

    const from = ['restore', '--from', `${credentials.endpointUrl}/papers`, '--to', root];
    const empty = ['--home', join(folder, 'empty')];
    const plan = await runCliProcess([...from, '--dry-run', ...empty], { env: secrets() });
    expect(plan).toMatchObject({ exitCode: 0, stderr: '' });
    expect(plan.stdout).toContain('122 files');
    const restored = await runCliProcess([...from, ...empty], { env: secrets() });
    expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
    expect(picture(root)).toEqual(before);
  });

  it.each([
    ['without credentials', [], 'no credentials'],
    ['of no bucket', ['--from', 'https://storage.example.com'], 'BUCKET'],
    ['of a bucket that is not there', ['--from', 'ENDPOINT/nowhere'], 'it does not exist'],
    ['with a job besides', ['photos'], 'neither JOB'],
  ])('a restore %s says so', async (_, argv, words) => {
    const place = argv.map((each) => each.replace('ENDPOINT', credentials.endpointUrl));
    const from = place.includes('--from') ? [] : ['--from', `${credentials.endpointUrl}/papers`];
    const { exitCode, stderr } = await runCliProcess(
      ['restore', ...from, ...place, '--to', join(folder, 'none'), '--home', join(folder, 'empty')],
      words === 'no credentials' ? {} : { env: secrets() },
    );
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain(words);
  });
});
