/**
 * Tests of a job with several targets: its configuration, and the commands that select one of the
 * targets.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { type RunningDaemon, startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { runCli, jsonOf, parsedJson } from '../helpers/run-cli.ts';
import { until } from '../helpers/until.ts';

let daemon: RunningDaemon;
let home: string;
let folder: string;

const run = (line: string) =>
  runCli(line.split(' '), { cwd: folder, env: { HOLDFAST_HOME: home } });
const json = async (line: string) => jsonOf((await run(`${line} --json`)).stdout);
const jobs = async () => ((await json('status')) as { jobs: JobStatus[] }).jobs;
const claimOf = async (bucket: string) =>
  parsedJson((await run(`s3 get ${bucket}/.holdfast/claim -`)).stdout) as object;
const config = () => readFileSync(join(home, 'config.yaml'), 'utf8');

/** Adds a target `eu`. The service of this target is the store of the daemon itself. */
async function addTarget(): Promise<void> {
  const returned = (await json('admin credentials --show-secret')) as Record<string, string>;
  const { endpointUrl, accessKeyId, secretAccessKey } = returned;
  const secret = JSON.stringify({ accessKeyId, secretAccessKey });
  writeFileSync(join(home, 'eu.json'), secret, { mode: 0o600 });
  const target = `{name: eu, endpoint: '${endpointUrl}', credentialsFile: eu.json}`;
  writeFileSync(
    join(home, 'config.yaml'),
    `storage: {port: 0}
targets: [${target}]
jobs:
  - name: notes
    folder: ${folder}/notes
    bucket: notes
    also:
      - target: eu
        bucket: notes-eu
`,
  );
  daemon.reload();
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'several-'));
  folder = mkdtempSync(join(tmpdir(), 'several-files-'));
  mkdirSync(join(folder, 'notes/letters'), { recursive: true });
  writeFileSync(join(folder, 'notes/plan'), 'plan');
  writeFileSync(join(folder, 'notes/letters/ann'), 'dear ann');
  writeFileSync(join(home, 'config.yaml'), 'storage: {port: 0}\n');
  daemon = await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }) });
  await addTarget();
});

afterAll(async () => {
  await daemon.stop('the tests are over');
  for (const each of [home, folder]) rmSync(each, { recursive: true });
});

it('each target of a folder is a separate job with its own state, bucket and status', async () => {
  await until(jobs, (all) => all.length === 2 && all.every(({ inSync }) => inSync));
  expect(await jobs()).toMatchObject([
    { name: 'notes', bucket: 'notes', target: 'local', counts: { files: 2 } },
    { name: 'notes@eu', bucket: 'notes-eu', target: 'eu', counts: { files: 2 } },
  ]);
  expect((await run('wait notes@eu')).exitCode).toBe(0);
  expect((await run('job show notes@eu')).stdout).toContain('notes-eu');
  expect(await claimOf('notes')).toMatchObject({ job: 'notes' });
  expect(await claimOf('notes-eu')).toMatchObject({ job: 'notes@eu' });
});

it('`job pause` and `restore` select a target of a folder by its job name, and a path selects the first target', async () => {
  expect((await run('job pause notes@eu')).exitCode).toBe(0);
  expect(config()).toContain('      - target: eu\n        paused: true\n');
  writeFileSync(join(folder, 'notes/letters/ann'), 'dearest ann');
  expect((await run('wait notes')).exitCode).toBe(0);
  expect((await jobs()).map(({ state }) => state === 'paused')).toEqual([false, true]);
  await run('restore notes@eu/letters --to old');
  await run(`restore ${folder}/notes/letters --to new`);
  await run('restore --to all');
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  expect(['old/ann', 'new/ann', 'all/letters/ann'].map(read)).toEqual([
    'dear ann',
    'dearest ann',
    'dearest ann',
  ]);
  expect((await run('restore notes@us/letters --to none')).stderr).toContain(
    'neither a job nor a path',
  );
  expect((await run('job resume notes@eu')).exitCode).toBe(0);
  expect((await run('wait')).exitCode).toBe(0);
});

it('`job remove` removes one target of a folder, or the job with all its targets', async () => {
  const configured = config();
  expect((await run('job remove notes@eu --yes')).exitCode).toBe(0);
  expect((await jobs()).map(({ name }) => name)).toEqual(['notes']);
  expect(await claimOf('notes-eu')).toMatchObject({ released: true });
  writeFileSync(join(home, 'config.yaml'), configured);
  daemon.reload();
  await until(jobs, (all) => all.length === 2 && all.every(({ inSync }) => inSync));
  expect((await run('job remove notes --yes')).exitCode).toBe(0);
  expect(await jobs()).toEqual([]);
  for (const bucket of ['notes', 'notes-eu'])
    expect(await claimOf(bucket)).toMatchObject({ released: true });
});
