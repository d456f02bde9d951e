/** What a job leaves out: the user's patterns, and Holdfast's own folders whatever the patterns say. */

import { lstatSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import ignore from 'ignore';

import { MirrorError } from '../mirror-error.ts';
import { isTemporaryName } from './temporary-name.ts';

/** The two numbers that name a file on this machine, whatever path leads to it. */
interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

export interface Excluder {
  /** Whether the patterns leave out `path`, given that nothing above it is left out. */
  readonly excludes: (path: string, isDirectory: boolean) => boolean;
  /** Whether this is one of the protected folders: asked where an lstat is at hand. */
  readonly protects: (identity: FileIdentity) => boolean;
}

export interface ExcluderOptions {
  readonly root: string;
  /** `.gitignore` syntax, relative to the root; later patterns win. */
  readonly patterns: readonly string[];
  /** Paths of Holdfast's home, store and state. Each must exist. */
  readonly protectedFolders: readonly string[];
}

/** `ignore` remembers every path it was asked: beyond this many it is made anew, to bound memory. */
const REMEMBERED_PATHS = 4_096;

/** Throws MirrorError `RootProtected` or `FolderMissing`. */
export function createExcluder({ root, patterns, protectedFolders }: ExcluderOptions): Excluder {
  const identities = new Set(protectedFolders.map((folder) => identityOf(folder)));
  const protects = (identity: FileIdentity) => identities.has(identityKey(identity));
  refuseRootInside(root, protects);
  const matches = patterns.length === 0 ? () => false : patternMatcher(patterns);
  return {
    excludes: (path, isDirectory) => isTemporaryName(basename(path)) || matches(path, isDirectory),
    protects,
  };
}

function patternMatcher(patterns: readonly string[]): Excluder['excludes'] {
  const compiled = ignore({ ignorecase: false }).add(patterns);
  const fresh = () => ignore({ ignorecase: false }).add(compiled);
  let rules = fresh();
  let asked = 0;
  return (path, isDirectory) => {
    if (++asked > REMEMBERED_PATHS) {
      rules = fresh();
      asked = 0;
    }
    return rules.ignores(isDirectory ? `${path}/` : path);
  };
}

function identityOf(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats) return identityKey(stats);
  throw new MirrorError('FolderMissing', `protect folder: ${folder} does not exist`);
}

function identityKey({ dev, ino }: FileIdentity): string {
  return `${dev}:${ino}`;
}

function refuseRootInside(root: string, protects: Excluder['protects']): void {
  for (let folder = root; ; folder = dirname(folder)) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats && protects(stats))
      throw new MirrorError(
        'RootProtected',
        `mirror folder: ${root} lies inside ${folder}, which belongs to Holdfast itself; choose another folder`,
      );
    if (dirname(folder) === folder) return;
  }
}
