/** What a job leaves out: by the user's patterns, by what the tree says of itself, and Holdfast's own folders anyway. */

import { lstatSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { MirrorError } from '../model/mirror-error.ts';
import { isTemporaryName } from './temporary-name.ts';
import { patternMatcher } from './patterns/pattern-matcher.ts';
import { type CacheDirs, type RulesSeen, TreeRules, type Verdict } from './tree-rules.ts';

/** The two numbers that name a file on this machine, whatever path leads to it. */
interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** File systems mounted below a root. */
export interface Mounts {
  /** Whether another file system was mounted at this path below the root before. */
  readonly has: (path: string) => boolean;
  readonly note: (path: string) => void;
}

export interface Excluder {
  /**
   * Whether `path` is excluded, given that nothing above it is. The job's patterns win over those in the tree. `undecided`: the
   * comparison with a `.holdfastignore` takes too many steps; such a path is mirrored, with a problem.
   */
  readonly verdict: (path: string, isDirectory: boolean) => Verdict;
  readonly excludes: (path: string, isDirectory: boolean) => boolean;
  /** Steps that all comparisons with patterns of the tree took so far. */
  readonly steps: () => number;
  /** To be told of each folder that is listed, before anything in it is asked about. */
  readonly enter: (directory: string, names: readonly string[]) => RulesSeen;
  /** File systems mounted below the root are entered and remembered; undefined where they are not entered. */
  readonly mounts: Mounts | undefined;
  /** Whether this is one of the protected folders: asked where an lstat is at hand. */
  readonly protects: (identity: FileIdentity) => boolean;
}

export interface ExcluderOptions {
  readonly root: string;
  /** `.gitignore` syntax, relative to the root; later patterns win. */
  readonly patterns: readonly string[];
  /** Paths of Holdfast's home, store and state. Each must exist. */
  readonly protectedFolders: readonly string[];
  /** `exclude`, unless told. */
  readonly cacheDirs?: CacheDirs;
  /** Given where file systems mounted below the root are mirrored, too. */
  readonly mounts?: Mounts;
}

/** Throws MirrorError `RootProtected` or `FolderMissing`. */
export function createExcluder(options: ExcluderOptions): Excluder {
  const { root, patterns, protectedFolders, cacheDirs = 'exclude', mounts } = options;
  const identities = new Set(protectedFolders.map((folder) => identityOf(folder)));
  const protects = (identity: FileIdentity) => identities.has(identityKey(identity));
  refuseRootInside(root, protects);
  const ofJob = patterns.length === 0 ? () => false : patternMatcher(patterns);
  const ofTree = new TreeRules(root, cacheDirs);
  const verdict = (path: string, isDirectory: boolean): Verdict =>
    isTemporaryName(basename(path)) || ofJob(path, isDirectory) === true
      ? 'excluded'
      : ofTree.verdict(path, isDirectory);
  return {
    verdict,
    excludes: (path, isDirectory) => verdict(path, isDirectory) === 'excluded',
    steps: () => ofTree.steps,
    enter: (directory, names) => ofTree.enter(directory, names),
    protects,
    mounts,
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
        `cannot use ${root}: it lies inside ${folder}, which belongs to Holdfast itself; choose another folder`,
      );
    if (dirname(folder) === folder) return;
  }
}

/** The patterns are asked from the top: nothing is included below an excluded folder. */
export function isExcluded(key: string, excluder: Excluder): boolean {
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1))
    if (excluder.excludes(key.slice(0, slash), true)) return true;
  return !key.endsWith('/') && excluder.excludes(key, false);
}
