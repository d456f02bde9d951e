/**
 * Tests of damaged objects. All commands must report the same damage of a job, and no damage after
 * the repair.
 */

import { mkdirSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli, eventsOf, jsonOf } from '../helpers/run-cli.ts';
import { blobFiles, blobPath } from '../helpers/store-files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { patternBytes } from '../helpers/test-engine.ts';

const SIZE = 3 * 1024 ** 2;
const KEYS = ['big1', 'big2', 'big3'];

async function daemonWithJob() {
  const home = join(temporaryFolder('hf-damage'), 'home');
  const root = temporaryFolder('hf-docs');
  mkdirSync(home, { mode: 0o700 });
  for (const [index, key] of KEYS.entries())
    writeFileSync(join(root, key), patternBytes(SIZE, index + 1));
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  const run = (...argv: string[]) =>
    runCli(argv, { env: { HOLDFAST_HOME: home }, clock: systemClock });
  expect(await run('job', 'add', root, '--name', 'docs', '--bucket', 'docs')).toMatchObject({
    exitCode: 0,
  });
  expect(await run('wait')).toMatchObject({ exitCode: 0 });
  const store = join(home, 'data/store');
  const damage = (harm: (path: string) => void) => {
    for (const file of blobFiles(store)) harm(blobPath(store, file));
  };
  return { root, run, damage };
}

test('a job repairs damaged objects by uploading their intact files again, and then no command reports a fault', async () => {
  const { run, damage } = await daemonWithJob();
  damage((path) => truncateSync(path, 5));
  const found = await run('verify', '--read-back', '--json');
  expect(found.exitCode).toBe(1);
  const rows = (eventsOf(found.stdout) as Record<string, unknown>[]).filter(
    ({ is }) => is === 'finding',
  );
  expect(jsonOf(found.stdout)).toMatchObject({
    jobs: [{ job: 'docs', findings: KEYS.length }],
    failed: [],
  });
  expect(rows.map(({ path, code }) => `${String(code)} ${String(path)}`)).toEqual(
    KEYS.map((key) => `damaged ${key}`),
  );
  for (const row of rows) expect(row['versionId']).toMatch(/\w/);
  expect(await run('wait')).toMatchObject({ exitCode: 0 });
  expect((await run('job', 'run', 'docs')).exitCode).toBe(0);
  expect((await run('test')).exitCode).toBe(0);
  expect(await run('status')).toMatchObject({ exitCode: 0 });
  expect((await run('verify', '--read-back')).exitCode).toBe(0);
  expect((await run('doctor')).stdout).not.toContain('damaged');
  expect((await run('admin', 'store', 'check', '--deep')).exitCode).toBe(0);
});

test('status, wait, job run, verify, doctor and job queue report a damaged version that cannot be repaired', async () => {
  const { root, run, damage } = await daemonWithJob();
  rmSync(join(root, 'big2'));
  expect((await run('wait')).exitCode).toBe(0);
  damage(unlinkSync);
  expect((await run('admin', 'store', 'repair', '--yes')).exitCode).toBe(3);

  const wait = await run('wait');
  expect(wait).toMatchObject({ exitCode: 3 });
  expect(wait.stdout).toMatch(/^docs: degraded: 1 damaged version/);
  const status = await run('status');
  expect(status).toMatchObject({ exitCode: 3 });
  expect(status.stdout).toContain('store DEGRADED');
  expect(status.stdout).toContain('degraded: 1 damaged version');
  expect(status.stdout).not.toContain('in sync');
  expect(status.stdout).not.toContain('ENOENT');
  const asked = await run('job', 'run', 'docs');
  expect(asked).toMatchObject({ exitCode: 3 });
  const verify = await run('verify');
  expect(verify).toMatchObject({ exitCode: 1 });
  expect(verify.stdout).toMatch(/big2: damaged: an earlier version in the bucket is damaged/);
  const doctor = await run('doctor');
  expect(doctor.stdout).toContain('job docs: at risk: 1 damaged version');
  expect((await run('job', 'queue', 'docs')).stdout).toContain('big2');
});
