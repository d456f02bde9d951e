/** Tests of the dialog that shows why the daemon is down. */

import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ControlError } from '../../../src/control/control-error.ts';
import { startWithOneJob } from '../../helpers/tui/one-job.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the diagnostics add the home folder of the dashboard to the commands in the hint', async () => {
  const { daemon, screen } = await startWithOneJob({ outside: { homeOption: ' --home /srv/hf' } });
  const hint = 'start it with `holdfast up`';
  daemon.stop(new ControlError('NotRunning', 'Holdfast is not running', { hint }));
  await screen.waitFor('daemon down');
  await screen.tick(1_000);
  await screen.press('d');
  await screen.waitFor('start it with `holdfast --home /srv/hf up`');
});

test('the diagnostics state that the log does not exist instead of showing the system error', async () => {
  const logFile = join(temporaryFolder(), 'holdfast.log');
  const { daemon, screen } = await startWithOneJob({ outside: { logFile } });
  daemon.stop();
  await screen.waitFor('daemon down');
  await screen.press('d');
  const text = await screen.waitFor('the log does not exist');
  expect(text).not.toContain('ENOENT');
});
