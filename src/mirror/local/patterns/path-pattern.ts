/**
 * Compiles a single pattern in `.gitignore` syntax. Does not use RegExp, so that the lengths of pattern and path limit
 * the cost of a match.
 */

import type { StepBudget } from '../../../base/step-budget.ts';
import { type CharacterTest, readCharacterClass } from './character-class.ts';
import { ANY_NUMBER, type Glob, globMatches } from './glob.ts';

export interface PathPattern {
  /** Whether the pattern begins with `!`. Such a pattern includes paths again that earlier patterns exclude. */
  readonly isNegated: boolean;
  /**
   * Returns whether a path, split into names, matches. Each comparison of a name or a character takes one step from the
   * budget. Throws StepLimitError when the budget is used up.
   */
  readonly matches: (names: readonly string[], isDirectory: boolean, budget: StepBudget) => boolean;
}

/** A literal character, or a test for a character. */
type Character = string | CharacterTest;
type NameTest = (name: string, budget: StepBudget) => boolean;

/** The part of a pattern between two slashes. */
interface Segment {
  readonly characters: (Character | typeof ANY_NUMBER)[];
  stars: number;
  /**
   * Whether an escaped slash (`\/`) is next to the segment. If so, `**` has no special meaning.
   */
  isBesideEscape: boolean;
}

type Token =
  | { readonly end: number; readonly part: Character | typeof ANY_NUMBER }
  | { readonly end: number; readonly slash: 'escaped' | 'plain' };

interface Parsed {
  readonly segments: readonly Segment[];
  readonly isForDirectories: boolean;
}

/**
 * Compiles a line with a pattern. Returns undefined if the line matches nothing: a comment, an empty line, or an
 * invalid pattern.
 */
export function compilePattern(line: string): PathPattern | undefined {
  if (line.startsWith('#')) return undefined;
  const isNegated = line.startsWith('!');
  const text = withoutTrailingSpaces(isNegated ? line.slice(1) : line);
  const parsed = text === '' || endsWithEscape(text) ? undefined : parse(text);
  if (parsed === undefined) return undefined;
  const { segments, isForDirectories } = parsed;
  const isAnchored = text.slice(0, -1).includes('/');
  const matches = namesTest(segments, isAnchored);
  return {
    isNegated,
    matches: (names, isDirectory, budget) =>
      (isDirectory || !isForDirectories) && matches(names, budget),
  };
}

/** Removes trailing spaces. A space after a backslash belongs to the pattern and stays. */
function withoutTrailingSpaces(text: string): string {
  const kept = text.replace(/ +$/, '');
  return kept !== text && endsWithEscape(kept) ? `${kept.slice(0, -1)} ` : kept;
}

function endsWithEscape(text: string): boolean {
  let backslashes = 0;
  while (text.at(-1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Splits a pattern into segments. Returns undefined if a character class is unclosed or unknown, or if an escaped slash
 * is at the end.
 */
function parse(text: string): Parsed | undefined {
  const isForDirectories = text.endsWith('/');
  const end = text.length - (isForDirectories ? 1 : 0);
  let segment: Segment = { characters: [], stars: 0, isBesideEscape: false };
  const segments = [segment];
  for (let index = text.startsWith('/') ? 1 : 0; index < end;) {
    const token = readToken(text, index, end);
    if (token === undefined) return undefined;
    index = token.end;
    if ('slash' in token) {
      const isBesideEscape = token.slash === 'escaped';
      segment.isBesideEscape ||= isBesideEscape;
      segment = { characters: [], stars: 0, isBesideEscape };
      segments.push(segment);
    } else addTo(segment, token.part);
  }
  return { segments, isForDirectories };
}

function addTo(segment: Segment, part: Character | typeof ANY_NUMBER): void {
  const isRepeated = part === ANY_NUMBER && segment.characters.at(-1) === ANY_NUMBER;
  if (!isRepeated) segment.characters.push(part);
  if (part === ANY_NUMBER) segment.stars += 1;
}

function readToken(text: string, index: number, end: number): Token | undefined {
  const character = text[index] ?? '';
  switch (character) {
    case '\\': {
      if (index + 1 >= end) return undefined;
      const part = text[index + 1] ?? '';
      return part === '/' ? { end: index + 2, slash: 'escaped' } : { end: index + 2, part };
    }
    case '/':
      return { end: index + 1, slash: 'plain' };
    case '*':
      return { end: index + 1, part: ANY_NUMBER };
    case '?':
      return { end: index + 1, part: () => true };
    case '[': {
      const read = readCharacterClass(text, index);
      return read && { end: read.end, part: read.test };
    }
    default:
      return { end: index + 1, part: character };
  }
}

function namesTest(
  segments: readonly Segment[],
  isAnchored: boolean,
): (names: readonly string[], budget: StepBudget) => boolean {
  const names = segments.flatMap((segment, index): Glob<NameTest> => {
    if (!isGlobstar(segment)) return [nameTest(segment.characters)];
    // `a/**` matches everything in `a`, but not `a` itself.
    return index === segments.length - 1 ? [() => true, ANY_NUMBER] : [ANY_NUMBER];
  });
  const [only] = names;
  if (!isAnchored && names.length === 1 && typeof only === 'function')
    return (path, budget) => only(path.at(-1) ?? '', budget);
  const glob: Glob<NameTest> = isAnchored ? names : [ANY_NUMBER, ...names];
  return (path, budget) =>
    globMatches(glob, path.length, (test, at) => test(path[at] ?? '', budget));
}

function isGlobstar({ characters, stars, isBesideEscape }: Segment): boolean {
  return characters.length === 1 && stars >= 2 && !isBesideEscape;
}

/**
 * Returns a test for a name. Nearly all segments are a literal name, or one `*` with literal text before and after it.
 * Such segments are compared without the glob matcher.
 */
function nameTest(characters: Glob<Character>): NameTest {
  const star = characters.indexOf(ANY_NUMBER);
  const before = textOf(star < 0 ? characters : characters.slice(0, star));
  const after = textOf(star < 0 ? [] : characters.slice(star + 1));
  if (before === undefined || after === undefined)
    return (name, budget) =>
      globMatches(characters, name.length, (part, at) => {
        budget.spend();
        return typeof part === 'string' ? name[at] === part : part(name.charCodeAt(at));
      });
  const least = before.length + after.length;
  const fits =
    star < 0
      ? (name: string) => name === before
      : (name: string) => name.length >= least && name.startsWith(before) && name.endsWith(after);
  return (name, budget) => {
    budget.spend();
    return fits(name);
  };
}

/** Returns the literal text of the characters; undefined if one of them is not literal. */
function textOf(characters: Glob<Character>): string | undefined {
  return characters.every((each) => typeof each === 'string') ? characters.join('') : undefined;
}
