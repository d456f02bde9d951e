/** Computes the width of text on a terminal. */

/**
 * Returns the number of grapheme clusters. This is the width on a terminal, except that wide characters take two
 * cells.
 */
export function cellsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  // The segmenter is created on demand, because that takes a tenth of the time of a short command.
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].length;
}

let segmenter: Intl.Segmenter | undefined;
