/** One pattern in the syntax of `.gitignore`, compiled without any RegExp of it: a match costs what its lengths allow, and no more. */

import type { StepBudget } from '../../../base/step-budget.ts';
import { type CharacterTest, readCharacterClass } from './character-class.ts';
import { ANY_NUMBER, type Glob, globMatches } from './glob.ts';

export interface PathPattern {
  /** `!pattern`: takes back what patterns before it exclude. */
  readonly isNegated: boolean;
  /** Of the names that make up a path. Each comparison of a name or a character is a step. Throws StepLimitError. */
  readonly matches: (names: readonly string[], isDirectory: boolean, budget: StepBudget) => boolean;
}

/** A character that must be there, or a test of one. */
type Character = string | CharacterTest;
type NameTest = (name: string, budget: StepBudget) => boolean;

/** What stands between two slashes. */
interface Segment {
  readonly characters: (Character | typeof ANY_NUMBER)[];
  stars: number;
  /** Beside an escaped slash `**` is not special. */
  isBesideEscape: boolean;
}

type Token =
  | { readonly end: number; readonly part: Character | typeof ANY_NUMBER }
  | { readonly end: number; readonly slash: 'escaped' | 'plain' };

interface Parsed {
  readonly segments: readonly Segment[];
  readonly isForDirectories: boolean;
}

/** Undefined for what matches nothing: a comment, an empty line, an invalid pattern. */
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

/** A space behind a backslash stays. */
function withoutTrailingSpaces(text: string): string {
  const kept = text.replace(/ +$/, '');
  return kept !== text && endsWithEscape(kept) ? `${kept.slice(0, -1)} ` : kept;
}

function endsWithEscape(text: string): boolean {
  let backslashes = 0;
  while (text.at(-1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Undefined for a class that is not closed or not known, and for an escaped slash at the end. */
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
    // `a/**` is all that is in `a`, and not `a` itself.
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

/** Nearly all segments are a name, or one `*` with text before or behind it. */
function nameTest(characters: Glob<Character>): NameTest {
  const star = characters.indexOf(ANY_NUMBER);
  const before = textOf(star < 0 ? characters : characters.slice(0, star));
  const behind = textOf(star < 0 ? [] : characters.slice(star + 1));
  if (before === undefined || behind === undefined)
    return (name, budget) =>
      globMatches(characters, name.length, (part, at) => {
        budget.spend();
        return typeof part === 'string' ? name[at] === part : part(name.charCodeAt(at));
      });
  const least = before.length + behind.length;
  const fits =
    star < 0
      ? (name: string) => name === before
      : (name: string) => name.length >= least && name.startsWith(before) && name.endsWith(behind);
  return (name, budget) => {
    budget.spend();
    return fits(name);
  };
}

/** Undefined where anything in it is not a character that must be there. */
function textOf(characters: Glob<Character>): string | undefined {
  return characters.every((each) => typeof each === 'string') ? characters.join('') : undefined;
}
