/**
 * Reads and applies the exclusion rules in the mirrored folder itself. A `.holdfastignore` in any folder works like
 * `.gitignore` for everything in and below that folder. A `CACHEDIR.TAG` excludes everything next to it
 * (bford.info/cachedir).
 */

import { closeSync, fstatSync, readSync } from 'node:fs';

import { failureReason } from '../../base/disk-error.ts';
import { openFile } from './file-content.ts';
import { within } from './local-entry.ts';
import { folderKey, parentOf } from '../model/local-path.ts';
import { excludingPattern, type Matcher, patternMatcher } from './patterns/pattern-matcher.ts';
import type { Problem } from '../model/types.ts';

export type CacheDirs = 'exclude' | 'keep';

/** Result of reading a folder's exclusion rules. */
export interface RulesSeen {
  /** Whether the rules changed, so that everything below the folder must be scanned again. */
  readonly changed: boolean;
  readonly problem?: Problem;
}

interface FolderRules {
  /** The patterns as text. Comparing the text shows whether the rules changed. */
  readonly text: string;
  readonly matcher: Matcher;
  readonly isCache: boolean;
}

export const IGNORE_FILE = '.holdfastignore';
const CACHE_TAG = 'CACHEDIR.TAG';
const CACHE_SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55';
/**
 * Limits on a `.holdfastignore`: its size in bytes, the number of patterns, and the number of characters and slashes in
 * a pattern. Each pattern is matched against each path below its folder, and any user with write access to the folder
 * controls both. The cost of one match is at most the pattern's length times the path's length.
 */
const MAX_IGNORE_BYTES = 16 * 1024;
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_CHARACTERS = 256;
const MAX_PATTERN_SLASHES = 16;
/**
 * Maximum number of steps for matching one path against the patterns in one file: about 0.1 ms. A thousand names, or
 * suffixes like `*.o`, take a thousand steps.
 */
export const MAX_STEPS = 10_000;

/** Names of files that can exclude other files. */
export const RULE_FILES: readonly string[] = [IGNORE_FILE, CACHE_TAG];

export function isRuleFile(name: string): boolean {
  return RULE_FILES.includes(name);
}

/** The file with the rule, relative to the root, and the pattern in it. Line numbers start at 1. */
export type TreeRule =
  | { readonly by: 'cache'; readonly file: string }
  | {
      readonly by: 'rules';
      readonly file: string;
      readonly line: number;
      readonly pattern: string;
    };

export type Verdict = 'excluded' | 'included' | 'undecided';

export class TreeRules {
  readonly #root: string;
  readonly #cacheDirs: CacheDirs;
  /** Rules by folder. A folder without rules has no entry. */
  readonly #rules = new Map<string, FolderRules>();
  #steps = 0;

  constructor(root: string, cacheDirs: CacheDirs) {
    this.#root = root;
    this.#cacheDirs = cacheDirs;
  }

  /** Number of steps in all pattern matches so far. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Reads the exclusion rules in a folder that contains these names. Must be called before `verdict` is called for a
   * path in the folder.
   */
  enter(directory: string, names: readonly string[]): RulesSeen {
    const before = this.#rules.get(directory);
    const hasFile = names.includes(IGNORE_FILE);
    const isCache =
      this.#cacheDirs === 'exclude' && names.includes(CACHE_TAG) && this.#isTagged(directory);
    if (!hasFile && !isCache) return { changed: this.#rules.delete(directory) };
    let text = '';
    let problem: Problem | undefined;
    try {
      if (hasFile) text = this.#readPatterns(directory);
    } catch (error) {
      // After an error the previous patterns stay in effect, because it is safer to mirror too much than too little.
      text = before?.text ?? '';
      problem = unreadable(within(directory, IGNORE_FILE), error);
    }
    const changed = before?.text !== text || before.isCache !== isCache;
    if (changed) this.#rules.set(directory, { text, isCache, matcher: this.#matcherOf(text) });
    return { changed, ...(problem && { problem }) };
  }

  /**
   * Returns the verdict for `path`, assuming that no folder above it is excluded. Of the folders whose patterns match
   * `path` or take too many steps to match, the folder nearest to `path` decides.
   */
  verdict(path: string, isDirectory: boolean): Verdict {
    if (this.#rules.size === 0) return 'included';
    const parent = parentOf(path);
    const name = path.slice(folderKey(parent).length);
    if (this.#rules.get(parent)?.isCache && name !== CACHE_TAG) return 'excluded';
    for (let folder = parent; ; folder = parentOf(folder)) {
      const match = this.#rules
        .get(folder)
        ?.matcher(path.slice(folderKey(folder).length), isDirectory);
      if (match === 'undecided') return match;
      if (match !== undefined || folder === '') return match === true ? 'excluded' : 'included';
    }
  }

  /**
   * Returns the rule that excludes `path`; undefined if no rule does. Like `verdict`, assumes that no folder above the
   * path is excluded.
   */
  ruleOf(path: string, isDirectory: boolean): TreeRule | undefined {
    if (this.verdict(path, isDirectory) !== 'excluded') return undefined;
    const parent = parentOf(path);
    const isCached = this.#rules.get(parent)?.isCache && within(parent, CACHE_TAG) !== path;
    if (isCached) return { by: 'cache', file: within(parent, CACHE_TAG) };
    for (let folder = parent; ; folder = parentOf(folder)) {
      const lines = this.#rules.get(folder)?.text.split('\n') ?? [];
      const index = excludingPattern(lines, path.slice(folderKey(folder).length), isDirectory);
      const file = within(folder, IGNORE_FILE);
      if (index !== undefined)
        return { by: 'rules', file, line: index + 1, pattern: lines[index]?.trim() ?? '' };
      if (folder === '') return undefined;
    }
  }

  #matcherOf(text: string): Matcher {
    const onCompared = (steps: number) => void (this.#steps += steps);
    return patternMatcher(text.split('\n'), { steps: MAX_STEPS, onCompared });
  }

  #isTagged(directory: string): boolean {
    try {
      const start = readStart(this.#absolute(directory, CACHE_TAG), CACHE_SIGNATURE.length);
      return start.toString('latin1') === CACHE_SIGNATURE;
    } catch {
      return false;
    }
  }

  #readPatterns(directory: string): string {
    const bytes = readStart(this.#absolute(directory, IGNORE_FILE), MAX_IGNORE_BYTES + 1);
    if (bytes.byteLength > MAX_IGNORE_BYTES)
      throw new Error(`it has more than ${MAX_IGNORE_BYTES} bytes`);
    const text = bytes.toString();
    checkLimits(text.split('\n'));
    return text;
  }

  #absolute(directory: string, name: string): string {
    return `${this.#root}/${within(directory, name)}`;
  }
}

/** Throws an Error that names the line and the limit that it exceeds. */
function checkLimits(lines: readonly string[]): void {
  let patterns = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    patterns += 1;
    const problem = exceeded(line, patterns);
    if (problem !== undefined) throw new Error(`line ${index + 1} ${problem}`);
  }
}

function exceeded(pattern: string, count: number): string | undefined {
  const slashes = pattern.split('/').length - 1;
  if (count > MAX_PATTERNS) return `is beyond the limit of ${MAX_PATTERNS} patterns`;
  if (pattern.length > MAX_PATTERN_CHARACTERS)
    return `has ${pattern.length} characters, more than the limit of ${MAX_PATTERN_CHARACTERS}`;
  if (slashes > MAX_PATTERN_SLASHES)
    return `has ${slashes} slashes, more than the limit of ${MAX_PATTERN_SLASHES}`;
  return undefined;
}

/** Returns the first `limit` bytes of a regular file. Does not follow a symbolic link at this path. */
function readStart(path: string, limit: number): Buffer {
  const descriptor = openFile(path);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file');
    const buffer = Buffer.alloc(limit);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, limit, 0));
  } finally {
    closeSync(descriptor);
  }
}

function unreadable(path: string, error: unknown): Problem {
  const message = `cannot read ${path}: ${failureReason(error)}; the patterns that were last read from it stay in effect`;
  return { path, code: 'unreadable', message };
}
