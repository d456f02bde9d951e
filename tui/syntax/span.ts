/** Lines of text in which each part has a tone, and ways to fit them to a width. */

import { clustersOf, widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';

export interface Span {
  /** Not yet safe to draw. */
  readonly text: string;
  readonly tone: Tone;
}

/** A line without its line ending. */
export type SpanLine = readonly Span[];

/** Returns the text of a line as it is drawn, without colours. */
export function shownText(line: SpanLine, look: Look): string {
  return line.map(({ text }) => shown(text, look)).join('');
}

/** Returns a line with its colours, cut to `width` cells. */
export function paintedLine(line: SpanLine, width: number, look: Look): string {
  let [drawn, left] = ['', width];
  for (const { text, tone } of line) {
    if (left <= 0) break;
    // A line may be very long, and a cell takes at most as many characters as a long cluster has.
    const cut = look.cut(shown(text.slice(0, left * MOST_IN_CELL), look), left);
    drawn += look.paint(tone, cut);
    left -= widthOf(cut);
  }
  return drawn;
}

const MOST_IN_CELL = 20;

/** Returns lines of at most `width` cells whose texts are safe to draw. A long line is broken at the edge, since blanks matter. */
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
