/** Expands and completes paths that a user types as an answer, because no shell does this. */

import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';

import type { Context } from '../context.ts';

/** Replaces a leading `~` by the home folder of the user. */
export function expandedPath(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir);
}

/** Replaces the home folder of the user by `~`. */
export function shortPath(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Returns the folders whose paths start with the typed text, for the Tab key. */
export function foldersBelow(context: Context, typed: string): readonly string[] {
  const above = typed.slice(0, typed.lastIndexOf('/') + 1);
  try {
    return readdirSync(context.path(expandedPath(above) || '.'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${above}${name}/`)
      .filter((path) => path.startsWith(typed));
  } catch {
    // The typed text is not in a readable folder, so nothing can complete it.
    return [];
  }
}
