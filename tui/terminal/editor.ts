/** Opens a text in the user's preferred editor. */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Opens the text in the editor and resolves with the saved text. Rejects if the editor cannot be
 * started or exits with an error.
 */
export async function editText(text: string, name: string, env: Env): Promise<string> {
  // The text may be private, so only the owner may read the folder.
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

/**
 * Runs the editor through a shell, as other programs do, because EDITOR may contain arguments
 * (`code --wait`).
 */
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
