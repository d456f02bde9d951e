/** Tests that requested actions are in the log, so that the dashboard shows them after a restart of the daemon. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { loggedActivity } from '../../tui/data/logged-activity.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

it('the log lists earlier locks, holds, restores and pauses after a restart of the daemon', async () => {
  const folder = temporaryFolder('hf-activity');
  const home = join(folder, 'home');
  const docs = join(folder, 'docs');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.txt'), 'a');
  const job = `{ name: docs, folder: ${docs}, bucket: docs, lock: { mode: GOVERNANCE, days: 1 } }`;
  writeFileSync(join(home, 'config.yaml'), `storage: { port: 0 }\njobs: [${job}]\n`, {
    mode: 0o600,
  });
  const first = await startDaemonHere(home);
  onTestFinished(() => first.stop());
  await until(
    () => first.client.call('status', {}),
    ({ jobs }) => jobs[0]?.counts.uploadedVersions === 1 && jobs[0].inSync,
  );
  await first.client.call('hold.set', { bucket: 'docs', key: 'a.txt', legalHold: true });
  await first.client.call('restore.run', { id: 'x', job: 'docs', to: join(folder, 'back') });
  await first.client.call('jobs.pause', { name: 'docs' });
  expect(await loggedActivity(first.client, await first.client.call('status', {}))).toEqual([]);
  await first.stop();
  const second = await startDaemonHere(home);
  onTestFinished(() => second.stop());
  const logged = await loggedActivity(second.client, await second.client.call('status', {}));
  expect(logged.map(({ job, action, path, message }) => ({ job, action, path, message }))).toEqual([
    { job: 'docs', action: 'restore', path: undefined, message: expect.stringContaining('1 file') },
    { job: 'docs', action: 'pause', path: undefined, message: 'the job is paused' },
    { job: 'docs', action: 'hold', path: 'a.txt', message: 'legal hold placed' },
  ]);
});
