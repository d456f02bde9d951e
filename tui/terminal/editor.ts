/** A text handed to the user's own editor, and back. */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Resolves with what was saved; rejects where the editor cannot be started or says that it failed. */
export async function editText(text: string, name: string, env: Env): Promise<string> {
  // Only its owner may look into the folder.
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    await run(env['VISUAL'] || env['EDITOR'] || 'vi', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** EDITOR may hold arguments (`code --wait`): a shell reads it, as it does for other programs. */
function run(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`edit: ${editor} ended with ${code ?? 'a signal'}`));
    });
  });
}
