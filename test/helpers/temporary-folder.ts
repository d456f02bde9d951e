/** Creates a temporary folder that is removed after the test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** Creates the folder. Call it inside a test. Register cleanups that must run before the removal after this call. */
export function temporaryFolder(name = 'holdfast'): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
