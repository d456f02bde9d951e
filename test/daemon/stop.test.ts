import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { CLI, startDaemonProcess } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { makeTree } from '../helpers/tree.ts';

describe('a daemon that is stopping', () => {
  it('a daemon answers the shutdown request before it stops', async () => {
    const home = temporaryFolder('hf-stop');
    const daemon = await startDaemonProcess(home);
    await expect(daemon.client.call('shutdown', {})).resolves.toEqual({});
    await daemon.stop();
  });

  it('SIGTERM during an upload stops the daemon with exit code 0, and the next daemon resumes the upload', async () => {
    const folder = temporaryFolder('hf-stop');
    const root = join(folder, 'tree');
    mkdirSync(root);
    makeTree(root, 500);
    const home = join(folder, 'home');
    const daemon = await startDaemonProcess(home);
    await daemon.client.call('jobs.add', { folder: root });
    expect(await daemon.stop()).toBe(0);
    const next = await startDaemonHere(home);
    const { job } = await next.client.call('jobs.settled', { name: 'tree' });
    expect(job).toMatchObject({ inSync: true, counts: { files: 500, problems: 0 } });
    await next.stop();
  });

  it('a second daemon cannot start in the home of a running daemon', async () => {
    const home = temporaryFolder('hf-stop');
    const daemon = await startDaemonProcess(home);
    const second = spawnSync(process.execPath, [CLI, 'service', 'run', '--home', home], {
      encoding: 'utf8',
    });
    expect(second.status).toBe(1);
    expect(second.stderr).toContain(String(daemon.process.pid));
    await expect(daemon.client.call('status', {})).resolves.toMatchObject({ jobs: [] });
    await daemon.stop();
  });
});
