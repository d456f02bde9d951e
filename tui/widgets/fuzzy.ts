/** Fuzzy search: `bkt` finds `bucket`. All functions are pure. */

/**
 * Returns the score of a match. The words of the pattern may match in any order, but the letters of each word must
 * occur in order.
 */
export function fuzzyScore(text: string, pattern: string): number | undefined {
  const lower = text.toLowerCase();
  if (text.trim() === pattern.trim()) return EXACT;
  const words = pattern
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  let total = 0;
  for (const word of words) {
    const score = wordScore(lower, word);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

/**
 * Returns the matching items, best match first. Items with equal scores keep their order. The first text of an item has
 * the highest weight.
 */
export function fuzzySorted<Item>(
  items: readonly Item[],
  pattern: string,
  textsOf: (item: Item) => readonly string[],
): readonly Item[] {
  const scored = items.flatMap((item) => {
    const scores = textsOf(item).map((text, index) => {
      const score = fuzzyScore(text, pattern) ?? Infinity;
      return score === EXACT || index === 0 ? score : score + FURTHER;
    });
    const score = Math.min(...scores);
    return score === Infinity ? [] : [{ item, score }];
  });
  return scored.toSorted((a, b) => a.score - b.score).map(({ item }) => item);
}

/**
 * The cost of each kind of match: none at the start of the text, higher within a word than at its start, and highest
 * with gaps.
 */
const EXACT = -1;
const WORD_START = 1;
const FURTHER = 2;
const WITHIN = 10;
const GAPS = 100;

function wordScore(text: string, word: string): number | undefined {
  if (text.startsWith(word)) return 0;
  const at = text.indexOf(word);
  if (at > 0) return isWordStart(text, at) || text.includes(` ${word}`) ? WORD_START : WITHIN;
  // The first letter must match the start of a word, because letters at arbitrary positions match almost every text.
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] !== word[0] || !isWordStart(text, start)) continue;
    const gaps = gapsFrom(text, word, start);
    if (gaps !== undefined) return GAPS + gaps;
  }
  return undefined;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Returns how many letters are skipped within one word, or undefined if the letters do not occur in this order. */
function gapsFrom(text: string, word: string, start: number): number | undefined {
  let at = start;
  for (const letter of word) {
    while (at < text.length && text[at] !== letter) {
      if (text[at] === ' ') return undefined;
      at += 1;
    }
    if (at >= text.length) return undefined;
    at += 1;
  }
  return at - start - word.length;
}
