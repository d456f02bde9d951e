/** Reads paths that a user types as an answer, where no shell expands `~` or completes names. */

import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';

import type { Context } from '../context.ts';

/** Replaces a `~` at the start by the home folder of the user. */
export function expandedPath(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir);
}

/** Returns the path with `~` for the home folder of the user. */
export function shortPath(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Returns the folders whose paths begin with what was typed, for the Tab key. */
export function foldersBelow(context: Context, typed: string): readonly string[] {
  const above = typed.slice(0, typed.lastIndexOf('/') + 1);
  try {
    return readdirSync(context.path(expandedPath(above) || '.'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${above}${name}/`)
      .filter((path) => path.startsWith(typed));
  } catch {
    // What was typed is not the path of a readable folder, so nothing can complete it.
    return [];
  }
}
