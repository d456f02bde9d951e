/** A folder of its own for each test, removed when the test is over. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** To be called inside a test. Register what must close before the folder goes after this call. */
export function temporaryFolder(name = 'holdfast'): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
