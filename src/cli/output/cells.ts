/** Computes the width of text on a terminal. */

/**
 * Returns the number of grapheme clusters. This is the width on a terminal, except for wide characters, which take two
 * cells.
 */
export function cellsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Created on demand, because its creation takes a tenth of the time of a short command.
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].length;
}

let segmenter: Intl.Segmenter | undefined;
