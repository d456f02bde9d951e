/** Tests of bash completion with a running daemon. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { CLI, startDaemonProcess } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

it('bash completion suggests the names of jobs and buckets', async () => {
  const folder = temporaryFolder('hf-complete');
  const home = join(folder, 'home');
  const daemon = await startDaemonProcess(home);
  onTestFinished(() => daemon.kill());
  for (const name of ['notes', 'photos']) {
    mkdirSync(join(folder, name));
    await daemon.client.call('jobs.add', { folder: join(folder, name) });
  }
  const options = { versioning: true, objectLock: false };
  await daemon.client.call('buckets.create', { bucket: 'pages', ...options });
  const bash = (...words: readonly string[]) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `holdfast() { '${process.execPath}' '${CLI}' "$@"; }
        eval "$(holdfast completion bash)"
        COMP_WORDS=(holdfast "$@"); COMP_CWORD=$#; _holdfast; echo "\${COMPREPLY[*]}"`,
        'bash',
        ...words,
      ],
      { encoding: 'utf8' },
    ).trim();
  // On a busy machine, the first request may return no suggestions, so the test repeats it.
  const offers = async (line: readonly string[], names: string) => {
    const ask = () =>
      bash('--home', home, ...line)
        .split(' ')
        .toSorted()
        .join(' ');
    expect(await until(ask, (offered) => offered === names)).toBe(names);
  };
  await offers(['job', 'pause', ''], 'notes photos');
  await offers(['job', 'pause', 'n'], 'notes');
  await offers(['s3', 'rb', 'p'], 'pages photos');
  await offers(['s3', 'ls', 'pag'], 'pages/');
});
