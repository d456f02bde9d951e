/** Draws the cells of a terminal as SVG. */

import type { Cell } from '../helpers/tui/cells.ts';
import { contrast, mix, rgbOf } from './palettes.ts';
import type { Palette } from './palettes.ts';
import { rect, shapeOf, short } from './shapes.ts';

const CELL = { width: 8.4, height: 17 };
const FONT_SIZE = 14;
/** Distance from the top of a cell to the baseline of its text. */
const BASELINE = 13;
const MARGIN = 8;
const FONTS = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace";
/** Opacity of dim text. Terminals use different values, from a half to two thirds. */
const DIM = 0.6;

interface Drawn {
  readonly cell: Cell;
  readonly column: number;
  readonly ink: number;
  readonly paper: number;
}

type Row = readonly Cell[];

export function svgOf(rows: readonly Row[], palette: Palette): string {
  const columns = Math.max(...rows.map((row) => row.reduce((sum, { width }) => sum + width, 0)));
  const [width, height] = [columns * CELL.width, rows.length * CELL.height];
  const size = `${short(width + 2 * MARGIN)} ${short(height + 2 * MARGIN)}`;
  const paper = { x: 0, y: 0, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${short(paper.width)}"`,
    ` font-family="${FONTS}" font-size="${FONT_SIZE}" xml:space="preserve">\n`,
    `${rect(paper, hex(palette.background))}\n`,
    `<g transform="translate(${MARGIN} ${MARGIN})">\n`,
    ...rows.map((row, index) => `${rowOf(row, index * CELL.height, palette)}\n`),
    '</g>\n</svg>\n',
  ].join('');
}

/** Returns the texts whose contrast is less than `least`, once each, with the contrast. */
export function faintTexts(
  rows: readonly Row[],
  palette: Palette,
  least: number,
): ReadonlyMap<string, number> {
  const faint = new Map<string, number>();
  for (const row of rows) {
    for (const run of runsOf(drawnOf(row, palette))) {
      const [{ ink, paper }] = run as [Drawn];
      const text = textOf(run).trim();
      const found = contrast(ink, paper);
      if (/[\p{L}\p{N}]/u.test(text) && found < least) faint.set(text, found);
    }
  }
  return faint;
}

function rowOf(row: Row, top: number, palette: Palette): string {
  const parts: string[] = [];
  const runs = runsOf(drawnOf(row, palette));
  for (const run of runs) {
    const [{ column, paper }] = run as [Drawn];
    if (paper === palette.background) continue;
    const width = run.reduce((sum, { cell }) => sum + cell.width, 0) * CELL.width;
    // The rectangle is slightly wider than the cells, because renderers blur the boundary of two
    // adjacent rectangles.
    const box = { x: column * CELL.width, y: top, width: width + 0.2, height: CELL.height + 0.2 };
    parts.push(rect(box, hex(paper)));
  }
  return [...parts, ...runs.flatMap((run) => inkOf(run, top))].join('');
}

function drawnOf(row: Row, palette: Palette): readonly Drawn[] {
  let column = 0;
  const cells = row.map((cell) => {
    const found = { cell, column, ...coloursOf(cell, palette) };
    column += cell.width;
    return found;
  });
  return cells.reduce<Drawn[]>(joinBars, []);
}

/** Joins equal adjacent characters that a single wide shape can draw. */
function joinBars(joined: Drawn[], each: Drawn): Drawn[] {
  const last = joined.at(-1);
  const isBar = /^[─▁-█░▒▓]$/.test(each.cell.text) && last?.cell.text === each.cell.text;
  if (!last || !isBar || styleOf(last) !== styleOf(each)) return [...joined, each];
  const cell = { ...last.cell, width: last.cell.width + each.cell.width };
  return [...joined.slice(0, -1), { ...last, cell }];
}

function coloursOf(cell: Cell, palette: Palette): { readonly ink: number; readonly paper: number } {
  let ink = cell.foreground ? rgbOf(cell.foreground, palette) : palette.foreground;
  let paper = cell.background ? rgbOf(cell.background, palette) : palette.background;
  if (cell.isInverse) [ink, paper] = [paper, ink];
  return { ink: cell.isDim ? mix(ink, paper, DIM) : ink, paper };
}

/** Splits a row where the colours or the style change. */
function runsOf(row: readonly Drawn[]): readonly (readonly Drawn[])[] {
  const runs: Drawn[][] = [];
  for (const each of row) {
    const last = runs.at(-1)?.at(-1);
    if (last && styleOf(last) === styleOf(each)) runs.at(-1)?.push(each);
    else runs.push([each]);
  }
  return runs;
}

function styleOf({ cell, ink, paper }: Drawn): string {
  return [ink, paper, cell.isBold, cell.isItalic, cell.isUnderlined].join();
}

/**
 * Draws the characters of a run of cells. Shapes are drawn one by one, and the text between them
 * together.
 */
function inkOf(run: readonly Drawn[], top: number): readonly string[] {
  const drawn: string[] = [];
  let text: Drawn[] = [];
  const flush = () => {
    drawn.push(...wordsOf(text, top));
    text = [];
  };
  for (const each of run) {
    const shape = shapeOf(each.cell.text, boxOf(each, top), hex(each.ink));
    if (shape === undefined) text.push(each);
    else {
      flush();
      drawn.push(shape);
    }
  }
  flush();
  return drawn;
}

function boxOf({ cell, column }: Drawn, top: number) {
  return { x: column * CELL.width, y: top, width: cell.width * CELL.width, height: CELL.height };
}

/**
 * Splits text at two or more spaces, so that columns stay aligned in a font with another character
 * width.
 */
function wordsOf(run: readonly Drawn[], top: number): readonly string[] {
  const words: Drawn[][] = [];
  let blanks: Drawn[] = [];
  for (const each of run) {
    const word = words.at(-1);
    if (each.cell.text === ' ') blanks.push(each);
    else {
      if (word && blanks.length < 2) word.push(...blanks, each);
      else words.push([each]);
      blanks = [];
    }
  }
  return words.map((word) => textElement(word, top));
}

function textElement(run: readonly Drawn[], top: number): string {
  const [{ cell, column, ink }] = run as [Drawn];
  const width = run.reduce((sum, each) => sum + each.cell.width, 0) * CELL.width;
  const style = [
    cell.isBold ? ' font-weight="bold"' : '',
    cell.isItalic ? ' font-style="italic"' : '',
    cell.isUnderlined ? ' text-decoration="underline"' : '',
  ].join('');
  const place = `x="${short(column * CELL.width)}" y="${short(top + BASELINE)}"`;
  const fit = ` textLength="${short(width)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place}${fit} fill="${hex(ink)}"${style}>${escaped(textOf(run))}</text>`;
}

function textOf(run: readonly Drawn[]): string {
  return run.map(({ cell }) => cell.text).join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}
