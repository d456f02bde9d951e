/**
 * What the tree itself says is to be left out: `.holdfastignore` in any folder, as `.gitignore` for what is in it and
 * below, and a `CACHEDIR.TAG` for all beside it (bford.info/cachedir).
 */

import { closeSync, fstatSync, readSync } from 'node:fs';

import ignore from 'ignore';

import { errorMessage } from '../../base/errors.ts';
import { openFile } from './file-content.ts';
import { within } from './local-entry.ts';
import { folderKey, parentOf } from './local-path.ts';
import type { Problem } from '../types.ts';

export type CacheDirs = 'exclude' | 'keep';

/** What listing a folder told of its rules. */
export interface RulesSeen {
  /** They are not what they were: all below is to be looked at anew. */
  readonly changed: boolean;
  readonly problem?: Problem;
}

/** Whether a path, relative to where the patterns stand, is left out or taken back by them; neither: undefined. */
export type Matcher = (path: string, isDirectory: boolean) => boolean | undefined;

interface FolderRules {
  /** Tells rules from those of before. */
  readonly text: string;
  readonly matcher: Matcher;
  readonly isCache: boolean;
}

export const IGNORE_FILE = '.holdfastignore';
const CACHE_TAG = 'CACHEDIR.TAG';
const CACHE_SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55';
/** Some thousand patterns: each is asked for each path below. */
const MAX_IGNORE_BYTES = 64 * 1024;
/** `ignore` remembers every path it was asked: beyond this many it is made anew, to bound memory. */
const REMEMBERED_PATHS = 4_096;

export class TreeRules {
  readonly #root: string;
  readonly #cacheDirs: CacheDirs;
  /** Of folders that have any. */
  readonly #rules = new Map<string, FolderRules>();

  constructor(root: string, cacheDirs: CacheDirs) {
    this.#root = root;
    this.#cacheDirs = cacheDirs;
  }

  /** To be told of each folder that is listed, before anything in it is asked about. */
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
      // Rather too much is mirrored than too little; what was left out before stays so.
      text = before?.text ?? '';
      problem = unreadable(within(directory, IGNORE_FILE), error);
    }
    const changed = before?.text !== text || before.isCache !== isCache;
    if (changed) this.#rules.set(directory, { text, isCache, matcher: patternMatcher([text]) });
    return { changed, ...(problem && { problem }) };
  }

  /** Given that nothing above `path` is left out. The nearest folder that has a say decides. */
  excludes(path: string, isDirectory: boolean): boolean {
    if (this.#rules.size === 0) return false;
    const parent = parentOf(path);
    const name = path.slice(folderKey(parent).length);
    if (this.#rules.get(parent)?.isCache && name !== CACHE_TAG) return true;
    for (let folder = parent; ; folder = parentOf(folder)) {
      const said = this.#rules
        .get(folder)
        ?.matcher(path.slice(folderKey(folder).length), isDirectory);
      if (said !== undefined || folder === '') return said ?? false;
    }
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
    return bytes.toString();
  }

  #absolute(directory: string, name: string): string {
    return `${this.#root}/${within(directory, name)}`;
  }
}

export function patternMatcher(patterns: readonly string[]): Matcher {
  const compiled = ignore({ ignorecase: false }).add(patterns);
  const fresh = () => ignore({ ignorecase: false }).add(compiled);
  let rules = fresh();
  let asked = 0;
  return (path, isDirectory) => {
    if (++asked > REMEMBERED_PATHS) {
      rules = fresh();
      asked = 0;
    }
    const { ignored, unignored } = rules.test(isDirectory ? `${path}/` : path);
    return ignored ? true : unignored ? false : undefined;
  };
}

/** Up to `limit` bytes of a plain file; a link in its place is not followed. */
function readStart(path: string, limit: number): Buffer {
  const descriptor = openFile(path);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is no file');
    const buffer = Buffer.alloc(limit);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, limit, 0));
  } finally {
    closeSync(descriptor);
  }
}

function unreadable(path: string, error: unknown): Problem {
  const message = `read ${path}: ${errorMessage(error)}; what it leaves out is not known, so nothing new is left out by it`;
  return { path, code: 'unreadable', message };
}
