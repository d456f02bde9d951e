/** Reads the version of Holdfast from package.json. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Reads the nearest package.json at or above the folder. The sources and `dist` have different depths below it. */
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
