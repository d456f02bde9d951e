/** Tests of bash completion with a running daemon. */

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { CLI } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

it('bash completion suggests the names of jobs and buckets', async () => {
  const folder = temporaryFolder('hf-complete');
  const home = join(folder, 'home');
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  for (const name of ['notes', 'photos']) {
    mkdirSync(join(folder, name));
    await daemon.client.call('jobs.add', { folder: join(folder, name) });
  }
  const options = { versioning: true, objectLock: false };
  await daemon.client.call('buckets.create', { bucket: 'pages', ...options });
  const script = `holdfast() { '${process.execPath}' '${CLI}' "$@"; }
    eval "$(holdfast completion bash)"
    COMP_WORDS=(holdfast "$@"); COMP_CWORD=$#; _holdfast; echo "\${COMPREPLY[*]}"`;
  const bash = async (...words: readonly string[]) => {
    const { stdout } = await promisify(execFile)('bash', [
      '--norc',
      '-c',
      script,
      'bash',
      ...words,
    ]);
    return stdout.trim();
  };
  // On a busy machine, the first request may return no suggestions, so the test repeats it.
  const offers = async (line: readonly string[], names: string) => {
    const ask = async () => (await bash('--home', home, ...line)).split(' ').toSorted().join(' ');
    expect(await until(ask, (offered) => offered === names)).toBe(names);
  };
  await offers(['job', 'pause', ''], 'notes photos');
  await offers(['job', 'pause', 'n'], 'notes');
  await offers(['s3', 'rb', 'p'], 'pages photos');
  await offers(['s3', 'ls', 'pag'], 'pages/');
});
