/** Matches paths against lists of `.gitignore` patterns: exclusions, and rules for locks, attributes and version intervals. */

import { StepBudget, StepLimitError } from '../../../base/step-budget.ts';
import { parentOf, pathOfKey } from '../../model/local-path.ts';
import { compilePattern } from './path-pattern.ts';

/**
 * Returns the verdict for a path relative to the patterns' folder: excluded (true), included again (false) or
 * not matched (undefined). `undecided`: the comparison takes more steps than allowed.
 */
export type Matcher = (path: string, isDirectory: boolean) => boolean | 'undecided' | undefined;

export interface MatchLimit {
  /** Maximum number of steps for one path. Each folder above it has its own limit of the same size. */
  readonly steps: number;
  /** Called after each comparison with the number of its steps. */
  readonly onCompared: (steps: number) => void;
}

const UNLIMITED: MatchLimit = { steps: Number.POSITIVE_INFINITY, onCompared: () => undefined };

/** Maximum number of folders with a cached verdict. A scan requests a folder's verdict for each entry in it. */
const REMEMBERED_FOLDERS = 4_096;

/**
 * Compiles patterns, one per element. The last pattern that matches decides. Nothing below an excluded folder
 * can be included again.
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
 * Returns the index of the pattern that excludes a path, assuming that no folder above it is excluded. Returns
 * undefined if no pattern matches, or if the last one that matches includes the path again.
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

/** Returns the pattern without its line end, and in the first line without a byte order mark. */
function withoutEnds(pattern: string, index: number): string {
  const line = pattern.replace(/\r?\n?$/, '');
  return index === 0 ? line.replace(/^\uFEFF/, '') : line;
}
