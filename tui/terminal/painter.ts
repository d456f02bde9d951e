/**
 * Returns the control sequences (ECMA-48) that change the terminal from the previous frame to the next one. Only
 * changed cells are written.
 */

import { widthOf } from '../text/width.ts';
import { cellsOf, placeCells, PLAIN } from './cells.ts';
import type { Cells, CellStyle } from './cells.ts';

/** A frame: lines with colours, and a box on top of the lines. */
export interface Picture {
  readonly lines: readonly string[];
  readonly box?: { readonly left: number; readonly top: number; readonly lines: readonly string[] };
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Up to this number of unchanged cells are written again, because moving the cursor over them takes about as many
 * bytes.
 */
const MOST_KEPT = 8;
/**
 * Turns automatic wrap off. If a terminal draws a character wider than expected, automatic wrap would move the
 * following cells to the next line.
 */
const NO_WRAP = '\u{1b}[?7l';
/** Turns automatic wrap on again for other programs. */
export const WRAP = '\u{1b}[?7h';
const CLEAR = `${NO_WRAP}\u{1b}[m\u{1b}[2J`;
/**
 * The start and end of a synchronized update: the terminal shows all changes between them at once. Terminals without
 * this feature ignore them.
 */
const [BEGIN, END] = ['\u{1b}[?2026h', '\u{1b}[?2026l'];

export class Painter {
  /** The cells of each drawn row, and the text that they were created from. */
  #rows: { readonly made: string; readonly cells: Cells }[] = [];
  #size: Size = { columns: 0, rows: 0 };
  #isForgotten = true;

  /** Makes `paint` write the next frame completely, because the terminal has lost its content. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Returns the control sequences for the next frame, or an empty text if no cell has changed. */
  paint({ lines, box }: Picture, size: Size): string {
    const pen = new Pen();
    const { columns, rows } = size;
    const isWhole = this.#isForgotten || columns !== this.#size.columns || rows !== this.#size.rows;
    if (isWhole) this.#rows = Array.from({ length: rows }, () => blankRow(columns));
    this.#size = size;
    this.#isForgotten = false;
    for (let row = 0; row < rows; row += 1) {
      const line = lines[row] ?? '';
      const over = box?.lines[row - box.top];
      const made = over === undefined ? line : `${box?.left}\n${over}\n${line}`;
      const before = this.#rows[row];
      if (!before || before.made === made) continue;
      const cells = cellsOf(line, columns);
      if (over !== undefined) placeCells(cells, box?.left ?? 0, cellsOf(over, widthOf(over)));
      paintRow(pen, row, before.cells, cells);
      this.#rows[row] = { made, cells };
    }
    const changes = pen.end();
    return isWhole || changes !== '' ? BEGIN + (isWhole ? CLEAR : '') + changes + END : '';
  }
}

const blankRow = (columns: number) => ({ made: '', cells: cellsOf('', columns) });

function paintRow(pen: Pen, row: number, before: Cells, after: Cells): void {
  const { texts, styles } = after;
  const isSame = (at: number) => before.texts[at] === texts[at] && before.styles[at] === styles[at];
  const end = contentEnd(after);
  // If the terminal draws a character wider than expected, the cells after it are elsewhere than expected.
  if (before.isUnsure || after.isUnsure) {
    pen.moveTo(row, 0);
    pen.eraseRest();
    for (let at = 0; at < end; at += 1) pen.put(texts[at] ?? '', styles[at] ?? PLAIN);
    return;
  }
  for (let at = 0; at < texts.length; at += 1) {
    if (isSame(at)) continue;
    pen.moveTo(row, at);
    if (at >= end) return pen.eraseRest();
    let stop = at + 1;
    for (let next = stop; next < end && next - stop < MOST_KEPT; next += 1) {
      if (!isSame(next)) stop = next + 1;
    }
    for (; at < stop; at += 1) pen.put(texts[at] ?? '', styles[at] ?? PLAIN);
    at -= 1;
  }
}

/** Returns the column after which all cells are blank. */
function contentEnd({ texts, styles }: Cells): number {
  let end = texts.length;
  while (end > 0 && texts[end - 1] === ' ' && styles[end - 1] === PLAIN) end -= 1;
  return end;
}

/** Collects control sequences, and omits those that change nothing. */
class Pen {
  #text = '';
  #style = PLAIN;

  moveTo(row: number, column: number): void {
    this.#text += `\u{1b}[${row + 1};${column + 1}H`;
  }

  put(text: string, style: CellStyle): void {
    const isInvisible = text === ' ' && style === PLAIN && !this.#style.fills;
    if (!isInvisible) this.#setStyle(style);
    this.#text += text;
  }

  /** Erases the cells from the cursor to the end of the row. */
  eraseRest(): void {
    // Terminals erase with the current background.
    if (this.#style.fills) this.#setStyle(PLAIN);
    this.#text += '\u{1b}[K';
  }

  /** Returns all sequences. The style after them is plain. */
  end(): string {
    this.#setStyle(PLAIN);
    return this.#text;
  }

  #setStyle(style: CellStyle): void {
    if (style === this.#style) return;
    const reset = this.#style === PLAIN || style === PLAIN ? '' : '0;';
    this.#text += `\u{1b}[${reset}${style.codes}m`;
    this.#style = style;
  }
}
