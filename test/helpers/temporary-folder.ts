/** Creates a temporary folder that is removed after the test. */

import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/**
 * Creates the folder. Call it inside a test. If a cleanup must run before the folder is removed,
 * register it after this call.
 */
export function temporaryFolder(name = 'holdfast'): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Removes the folder with its contents, even if permissions forbid access to some subfolders. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    permitFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function permitFolders(folder: string): void {
  if (process.getuid?.() === 0) chownSync(folder, 0, 0);
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) permitFolders(join(folder, entry.name));
}
