/** Parses character classes (`[…]`) in patterns in the same way as git's wildmatch.c. */

/** Returns whether the class contains a UTF-16 code unit of a name. Names contain no slash. */
export type CharacterTest = (code: number) => boolean;

export interface CharacterClass {
  /** Index after the class's closing bracket. */
  readonly end: number;
  readonly test: CharacterTest;
}

type Range = readonly [first: number, last: number];

interface Member {
  readonly ranges: readonly Range[];
  /** Index after the class member. */
  readonly end: number;
  /**
   * The class member's character. It begins a range if a hyphen follows. Absent unless the member is a single
   * character.
   */
  readonly code?: number;
}

/** POSIX classes as pairs of first and last character. They contain only ASCII characters, as in git. */
const POSIX: ReadonlyMap<string, string> = new Map([
  ['alnum', '09AZaz'],
  ['alpha', 'AZaz'],
  ['blank', '  \t\t'],
  ['cntrl', '\x00\x1F\x7F\x7F'],
  ['digit', '09'],
  ['graph', '!~'],
  ['lower', 'az'],
  ['print', ' ~'],
  ['punct', '!/:@[`{~'],
  ['space', '  \t\t\n\n\r\r'],
  ['upper', 'AZ'],
  ['xdigit', '09AFaf'],
]);

/**
 * Parses the class that begins at `start`. Returns undefined if the class is not closed or has an unknown name, because
 * such a pattern matches nothing.
 */
export function readCharacterClass(pattern: string, start: number): CharacterClass | undefined {
  const isNegated = /[!^]/.test(pattern[start + 1] ?? '');
  const ranges: Range[] = [];
  let end = start + (isNegated ? 2 : 1);
  let before: number | undefined;
  // A `]` at the first position is a member of the class.
  do {
    const member = readMember(pattern, end, before);
    if (member === undefined) return undefined;
    for (const range of member.ranges) ranges.push(range);
    ({ end, code: before } = member);
  } while (pattern[end] !== ']');
  const test = (code: number) =>
    ranges.some(([first, last]) => first <= code && code <= last) !== isNegated;
  return { end: end + 1, test };
}

/**
 * Parses one member of a class. `before` is the single character before the member, if there is one. Returns undefined
 * at the end of the pattern and for an unknown class.
 */
function readMember(
  pattern: string,
  index: number,
  before: number | undefined,
): Member | undefined {
  if (pattern.startsWith('[:', index)) {
    const close = pattern.indexOf(']', index + 2);
    if (close < 0) return undefined;
    if (close > index + 2 && pattern[close - 1] === ':')
      return readPosix(pattern.slice(index + 2, close - 1), close + 1);
  }
  const next = pattern[index + 1];
  const isRange =
    pattern[index] === '-' && before !== undefined && next !== undefined && next !== ']';
  let at = isRange ? index + 1 : index;
  if (pattern[at] === '\\') at += 1;
  if (at >= pattern.length) return undefined;
  const code = pattern.charCodeAt(at);
  if (!isRange) return { ranges: [[code, code]], end: at + 1, code };
  // A range in descending order contains no characters.
  return { ranges: [[before, code]], end: at + 1 };
}

function readPosix(name: string, end: number): Member | undefined {
  const pairs = POSIX.get(name);
  if (pairs === undefined) return undefined;
  const ranges = Array.from({ length: pairs.length / 2 }, (_, pair): Range => [
    pairs.charCodeAt(2 * pair),
    pairs.charCodeAt(2 * pair + 1),
  ]);
  return { ranges, end };
}
