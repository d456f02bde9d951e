/** This release, as package.json says. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest package.json upwards: the sources and `dist` lie at different depths below it. */
function readVersion(folder: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
      return String(manifest.version);
    }
  } catch (error) {
    if (dirname(folder) === folder) throw error;
  }
  return readVersion(dirname(folder));
}

export const VERSION = readVersion(import.meta.dirname);
