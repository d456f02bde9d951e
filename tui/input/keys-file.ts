/** Loads the user's key bindings from `keys.yaml`, which is in the same directory as `config.yaml`. */

import { readFile } from 'node:fs/promises';

import { errorCode } from '../../src/base/errors.ts';
import { Keymap, readKeymap } from './keymap.ts';

/** Returns the default keymap if the file does not exist. If the file is invalid, rejects with the list of problems. */
export async function loadKeymap(file: string): Promise<Keymap> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return new Keymap();
    throw error;
  }
  const { readDocument } = await import('../../src/config/document.ts');
  const { data, problems } = readDocument(text);
  const [first] = problems;
  if (first) throw new Error(`line ${first.line}: ${first.message}`);
  return readKeymap(data ?? {});
}
