/**
 * Decides which paths a job excludes, by the job's patterns and by rule files in the folder. Holdfast's own folders are
 * always excluded.
 */

import { lstatSync, type Stats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { MirrorError } from '../model/mirror-error.ts';
import { isTemporaryName } from './temporary-name.ts';
import { excludingPattern, patternMatcher } from './patterns/pattern-matcher.ts';
import {
  type CacheDirs,
  RULE_FILES,
  type RulesSeen,
  type TreeRule,
  TreeRules,
  type Verdict,
} from './tree-rules.ts';

/** Device and inode number. They identify a file independently of its path. */
interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** Remembers which file systems were mounted below the root. */
export interface Mounts {
  /** Returns whether another file system was mounted at this path before. The path is relative to the root. */
  readonly has: (path: string) => boolean;
  readonly note: (path: string) => void;
}

export interface Excluder {
  /**
   * Returns whether `path` is excluded, assuming that no folder above it is excluded. The job's patterns take
   * precedence over rule files. `undecided` means that a `.holdfastignore` takes too many steps to match. Such a path
   * is mirrored and reported as a problem.
   */
  readonly verdict: (path: string, isDirectory: boolean) => Verdict;
  readonly excludes: (path: string, isDirectory: boolean) => boolean;
  /** Returns how many steps all matches with patterns from the folder have taken so far. */
  readonly steps: () => number;
  /**
   * Reads the exclusion rules in a folder that contains these names. Must be called before `verdict` is called for a
   * path in the folder.
   */
  readonly enter: (directory: string, names: readonly string[]) => RulesSeen;
  /** File systems mounted below the root, if the job mirrors them. Undefined if the job skips them. */
  readonly mounts: Mounts | undefined;
  /**
   * Returns whether a file identity belongs to one of Holdfast's own folders. The caller passes the result of an lstat
   * that it needs anyway.
   */
  readonly protects: (identity: FileIdentity) => boolean;
}

export interface ExcluderOptions {
  readonly root: string;
  /** Patterns in `.gitignore` syntax, relative to the root. A later pattern takes precedence. */
  readonly patterns: readonly string[];
  /** Paths of Holdfast's home, its store and its state. Each path must exist. */
  readonly protectedFolders: readonly string[];
  /** Whether the content of folders with a CACHEDIR.TAG file is excluded. Default: `exclude`. */
  readonly cacheDirs?: CacheDirs;
  /** Set if file systems mounted below the root are mirrored too. */
  readonly mounts?: Mounts;
}

/**
 * Creates a job's excluder. Throws MirrorError `RootProtected` if the root is inside one of Holdfast's own folders,
 * and `FolderMissing` if one of these folders does not exist.
 */
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

/** The rule that excludes a path, and the path that the rule matches: the path itself or a folder above it. */
export type Exclusion = { readonly path: string } & (
  | { readonly by: 'own' }
  | { readonly by: 'job'; readonly pattern: string }
  | TreeRule
);

/**
 * Returns the rule that excludes `path`; undefined if no rule does. Reads the rule files in all folders above the path,
 * so the result does not depend on what a job has scanned.
 */
export function explainExclusion(options: ExcluderOptions, path: string): Exclusion | undefined {
  const { root, patterns, cacheDirs = 'exclude' } = options;
  const { protects } = createExcluder(options);
  const ofTree = new TreeRules(root, cacheDirs);
  const names = path.split('/');
  for (const [index, name] of names.entries()) {
    const each = names.slice(0, index + 1).join('/');
    const stats = statsOf(`${root}/${each}`);
    const isDirectory = index < names.length - 1 || (stats?.isDirectory() ?? false);
    if (isTemporaryName(name) || (isDirectory && stats && protects(stats)))
      return { path: each, by: 'own' };
    const ofJob = excludingPattern(patterns, each, isDirectory);
    if (ofJob !== undefined) return { path: each, by: 'job', pattern: patterns[ofJob] ?? '' };
    ofTree.enter(names.slice(0, index).join('/'), RULE_FILES);
    const rule = ofTree.ruleOf(each, isDirectory);
    if (rule) return { path: each, ...rule };
  }
  return undefined;
}

/**
 * Returns the file's stats; undefined if the file does not exist or cannot be read. Patterns can be matched without the
 * stats.
 */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function identityOf(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats) return identityKey(stats);
  throw new MirrorError(
    'FolderMissing',
    `cannot exclude Holdfast's own folder ${folder}: it does not exist`,
  );
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
        `cannot use ${root}: it is inside ${folder}, which Holdfast uses for its own data; choose another folder`,
      );
    if (dirname(folder) === folder) return;
  }
}

/**
 * Returns whether the key or a folder above it is excluded. A path below an excluded folder cannot be included again.
 */
export function isExcluded(key: string, excluder: Excluder): boolean {
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1))
    if (excluder.excludes(key.slice(0, slash), true)) return true;
  return !key.endsWith('/') && excluder.excludes(key, false);
}
