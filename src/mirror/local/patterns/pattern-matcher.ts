/** Lists of patterns in the syntax of `.gitignore`: exclusions, and rules of locks, attributes and intervals. */

import { StepBudget, StepLimitError } from '../../../base/step-budget.ts';
import { parentOf, pathOfKey } from '../../model/local-path.ts';
import { compilePattern } from './path-pattern.ts';

/**
 * Whether a path, relative to the patterns' folder, is excluded (true), taken back (false) or in none of them (undefined).
 * `undecided`: the comparison takes more steps than allowed.
 */
export type Matcher = (path: string, isDirectory: boolean) => boolean | 'undecided' | undefined;

export interface MatchLimit {
  /** For one path, without the folders above it, which have as many each. */
  readonly steps: number;
  /** Called after each comparison with the steps that it took. */
  readonly onCompared: (steps: number) => void;
}

const UNLIMITED: MatchLimit = { steps: Number.POSITIVE_INFINITY, onCompared: () => undefined };

/** Of folders whose answer is kept: those of a scan are asked for each entry in them. */
const REMEMBERED_FOLDERS = 4_096;

/** One pattern an element. The last that matches decides; below an excluded folder nothing is taken back. */
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

/** Of keys: a folder's ends in `/`. */
export function keyMatcher(patterns: readonly string[]): (key: string) => boolean {
  const matches = patternMatcher(patterns);
  return (key) => matches(pathOfKey(key), key.endsWith('/')) === true;
}

/** Without the byte order mark of a file and the end of its line. */
function withoutEnds(pattern: string, index: number): string {
  const line = pattern.replace(/\r?\n?$/, '');
  return index === 0 ? line.replace(/^\uFEFF/, '') : line;
}
