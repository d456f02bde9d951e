/** Tests of a daemon whose system clock jumps, and of `holdfast admin store trust-clock`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Starts a daemon with one file and one job. The job locks versions for a day and renews the locks
 * daily.
 */
async function lockingDaemon() {
  const folder = temporaryFolder('hf-clock');
  const [home, root] = [join(folder, 'home'), join(folder, 'photos')];
  const clock = new ShiftedClock();
  mkdirSync(root);
  const lock = 'lock: {mode: GOVERNANCE, days: 1, refreshDays: 1}';
  makeHome(home, 0, `jobs:\n  - {name: photos, folder: ${root}, bucket: photos, ${lock}}\n`);
  writeFileSync(join(root, 'f'), 'before');
  const daemon = await startDaemon({
    home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }),
    clock,
  });
  onTestFinished(() => daemon.stop('the test is over'));
  const run = (...argv: string[]) => runCli(argv, { env: { HOLDFAST_HOME: home } });
  const daysLocked = async () => {
    const { stdout } = await run('lock', 'retention', 'get', 'photos/f', '--json');
    const { retention } = jsonOf(stdout) as { readonly retention: { retainUntil: string } };
    return Math.round((new Date(retention.retainUntil).getTime() - clock.now()) / DAY_MS);
  };
  return { root, clock, run, daysLocked };
}

it('a clock that jumps ahead stops no upload, and `admin store trust-clock` extends the locks without a restart', async () => {
  const { root, clock, run, daysLocked } = await lockingDaemon();
  expect((await run('wait')).exitCode).toBe(0);
  clock.jump(3 * DAY_MS);
  writeFileSync(join(root, 'f'), 'after the jump');
  expect(await run('wait')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await daysLocked()).toBe(-1);
  const { stdout } = await run('status');
  expect(stdout).toContain('holdfast admin store trust-clock');
  expect(stdout).not.toContain('problem');
  expect((await run('admin', 'store', 'trust-clock', '--yes')).exitCode).toBe(0);
  await until(daysLocked, (days) => days === 2);
  expect((await run('status')).stdout).not.toContain('trust-clock');
});
