/** Lines of text in which each part has a tone, with functions that fit the lines to a width. */

import { clustersOf, widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';

export interface Span {
  /** The text of the part. It must be escaped before it is drawn. */
  readonly text: string;
  readonly tone: Tone;
}

/** One line of text, without its line ending. */
export type SpanLine = readonly Span[];

/** Returns the line's text as it is drawn, without colours. */
export function shownText(line: SpanLine, look: Look): string {
  return line.map(({ text }) => shown(text, look)).join('');
}

/** Returns the line with its colours, truncated to `width` cells. */
export function paintedLine(line: SpanLine, width: number, look: Look): string {
  let [drawn, left] = ['', width];
  for (const [index, { text, tone }] of line.entries()) {
    if (left <= 0) break;
    // Limits the text that is escaped, because a line may be very long. A cell contains at most as many characters as a
    // long grapheme cluster.
    const part = shown(text.slice(0, left * MOST_IN_CELL), look);
    // A part that ends at the edge gets the ellipsis for the parts after it.
    const hasRest =
      widthOf(part) === left && line.slice(index + 1).some((span) => span.text !== '');
    const cut = look.cut(hasRest ? `${part} ` : part, left);
    drawn += look.paint(tone, cut);
    left -= widthOf(cut);
  }
  return drawn;
}

const MOST_IN_CELL = 20;

/**
 * Breaks the line into lines of at most `width` cells, whose text is safe to draw. Breaks are at the edge and not at
 * spaces, because spaces matter in code.
 */
export function brokenLines(line: SpanLine, width: number, look: Look): SpanLine[] {
  const lines: Span[][] = [[]];
  let left = width;
  for (const { text, tone } of line) {
    let part = '';
    const end = () => {
      if (part !== '') lines.at(-1)?.push({ text: part, tone });
      part = '';
    };
    for (const cluster of clustersOf(shown(text, look))) {
      const cells = widthOf(cluster);
      if (cells > left) {
        end();
        lines.push([]);
        left = width;
      }
      part += cluster;
      left -= cells;
    }
    end();
  }
  return lines;
}

function shown(text: string, look: Look): string {
  return look.name(text.replaceAll('\t', '    '));
}
