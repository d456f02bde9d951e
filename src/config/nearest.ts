/** Finds the known word that a user may have misspelled. */

/**
 * Returns the candidate with the smallest edit distance. Returns undefined if the distance is too large for the length
 * of the word.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({
      candidate,
      edits: editDistance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best && best.edits <= limit ? best.candidate : undefined;
}

/**
 * Returns the Levenshtein distance, counting a transposition of adjacent letters as one edit. To save time, returns
 * Infinity if the word is much longer than the candidate.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > b.length) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const isExchanged = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const exchanged = isExchanged ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? Infinity;
}
