/**
 * Matches paths against lists of `.gitignore` patterns. They select exclusions, and rules for locks, attributes and
 * version intervals.
 */

import { StepBudget, StepLimitError } from '../../../base/step-budget.ts';
import { parentOf, pathOfKey } from '../../model/local-path.ts';
import { compilePattern } from './path-pattern.ts';

/**
 * Returns the verdict for a path relative to the patterns' folder: excluded (true), included again (false) or not
 * matched (undefined). `undecided` means that matching takes more steps than allowed.
 */
export type Matcher = (path: string, isDirectory: boolean) => boolean | 'undecided' | undefined;

export interface MatchLimit {
  /** Maximum number of steps for one path. The same limit applies separately to each folder above the path. */
  readonly steps: number;
  /** Called after each match with the number of its steps. */
  readonly onCompared: (steps: number) => void;
}

const UNLIMITED: MatchLimit = { steps: Number.POSITIVE_INFINITY, onCompared: () => undefined };

/**
 * Maximum number of folders with a cached verdict. The cache exists because a scan needs a folder's verdict for each
 * entry in the folder.
 */
const REMEMBERED_FOLDERS = 4_096;

/**
 * Compiles patterns, one for each array element. The last matching pattern decides. A path below an excluded folder
 * cannot be included again.
 */
export function patternMatcher(
  patterns: readonly string[],
  { steps, onCompared }: MatchLimit = UNLIMITED,
): Matcher {
  const rules = patterns
    .map((pattern, index) => compilePattern(withoutEnds(pattern, index)))
    .filter((rule) => rule !== undefined)
    .reverse();
  const folders = new Map<string, ReturnType<Matcher>>();
  const matches: Matcher = (path, isDirectory) => {
    const parent = parentOf(path);
    if (parent !== '' && ofFolder(parent) === true) return true;
    const names = path.split('/');
    const budget = new StepBudget(steps);
    try {
      const rule = rules.find((each) => each.matches(names, isDirectory, budget));
      return rule && !rule.isNegated;
    } catch (error) {
      if (error instanceof StepLimitError) return 'undecided';
      throw error;
    } finally {
      onCompared(budget.spent);
    }
  };
  const ofFolder = (path: string) => {
    if (folders.has(path)) return folders.get(path);
    const excluded = matches(path, true);
    if (folders.size >= REMEMBERED_FOLDERS) folders.clear();
    folders.set(path, excluded);
    return excluded;
  };
  return matches;
}

/**
 * Returns the index of the pattern that excludes a path, assuming that no folder above the path is excluded. Returns
 * undefined if no pattern matches, or if the last matching pattern includes the path again.
 */
export function excludingPattern(
  patterns: readonly string[],
  path: string,
  isDirectory: boolean,
): number | undefined {
  const names = path.split('/');
  const budget = new StepBudget(UNLIMITED.steps);
  const index = patterns.findLastIndex((pattern, at) =>
    compilePattern(withoutEnds(pattern, at))?.matches(names, isDirectory, budget),
  );
  const isNegated = index >= 0 && withoutEnds(patterns[index] ?? '', index).startsWith('!');
  return index < 0 || isNegated ? undefined : index;
}

/** Returns a function that matches keys against the patterns. A folder's key ends in `/`. */
export function keyMatcher(patterns: readonly string[]): (key: string) => boolean {
  const matches = patternMatcher(patterns);
  return (key) => matches(pathOfKey(key), key.endsWith('/')) === true;
}

/** Returns the pattern without its line end. In the first line, also removes a byte order mark. */
function withoutEnds(pattern: string, index: number): string {
  const line = pattern.replace(/\r?\n?$/, '');
  return index === 0 ? line.replace(/^\uFEFF/, '') : line;
}
