/**
 * Tests of `job acknowledge`. An acknowledged problem stays in the list, but counts as a risk only
 * when the acknowledgment has expired.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/**
 * File name that Holdfast reserves. A job does not back up a file with this name, and reports it as
 * a problem.
 */
const PATH = '.holdfast';

async function jobWithProblem() {
  const home = join(temporaryFolder('hf-acknowledge'), 'home');
  const root = temporaryFolder('hf-docs');
  mkdirSync(home, { mode: 0o700 });
  for (const name of [PATH, 'plan.md']) writeFileSync(join(root, name), name);
  const start = async () => {
    const daemon = await startDaemonHere(home);
    onTestFinished(() => daemon.stop());
    return daemon;
  };
  const daemon = await start();
  const run = (...argv: string[]) =>
    runCli(argv, { env: { HOLDFAST_HOME: home }, clock: systemClock });
  await run('job', 'add', root, '--name', 'docs', '--bucket', 'docs');
  expect(await run('wait')).toMatchObject({ exitCode: 3 });
  await run('test');
  return { daemon, start, run };
}

test('an acknowledged problem is listed with its note and does not count as a risk, even after a restart of the daemon', async () => {
  const { daemon, start, run } = await jobWithProblem();
  const before = await run('status');
  expect(before.exitCode).toBe(3);
  expect(before.stdout).toContain('at risk: 1 file with a problem: holdfast job show docs');

  const done = await run('job', 'acknowledge', 'docs', PATH, '--note', 'made by a tool');
  expect(done).toMatchObject({ exitCode: 0 });
  expect(done.stdout).toMatch(
    /^acknowledged the problem of \.holdfast until 20.*: job docs is in sync except for 1 acknowledged problem/,
  );
  for (const isAgain of [false, true]) {
    if (isAgain) {
      await daemon.stop();
      await start();
    }
    expect(await run('wait')).toMatchObject({ exitCode: 0 });
    const { exitCode, stdout } = await run('status');
    expect(stdout).toContain('kept against mistakes only');
    expect(stdout).toMatch(
      /\.holdfast: reserved-name: .* \(acknowledged until 20.*: made by a tool\)/,
    );
    expect(exitCode).toBe(0);
  }

  const withdrawn = await run('job', 'acknowledge', 'docs', PATH, '--withdraw');
  expect(withdrawn.exitCode).toBe(0);
  expect((await run('status')).exitCode).toBe(3);
});

test('`job acknowledge` fails and changes nothing for an unknown path, an invalid note or a period of more than 365 days', async () => {
  const { run } = await jobWithProblem();
  const refused = [
    [1, 'job docs has no problem at plan.md', ['plan.md', '--note', 'known']],
    [2, 'a note is missing', [PATH]],
    [2, 'the maximum is 365d', [PATH, '--note', 'known', '--for', '366d']],
    [
      2,
      'invalid --note: it has 201 characters, and the maximum is 200',
      [PATH, '--note', 'x'.repeat(201)],
    ],
  ] as const;
  for (const [code, text, argv] of refused) {
    const { exitCode, stderr } = await run('job', 'acknowledge', 'docs', ...argv);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(text)]);
  }
  expect((await run('status')).exitCode).toBe(3);
});
