/** Draws panes in frames. Adjacent panes share the border between them. */

import type { Area } from './layout.ts';
import { widthOf } from '../text/width.ts';
import type { Look, Tone } from '../theme/look.ts';
import { exactly, filled, plain } from './layout.ts';

/** The texts in a pane's lower border. They may contain colours. */
export interface Foot {
  /** The text at the right end of the focused pane's border: the position in a list, or a problem. */
  readonly place: string;
  /** The text at the left end of the border: keys, an explanation of symbols, or a sum. */
  readonly legend?: string;
}

export interface Pane {
  /** The title in the pane's upper border. It must be safe to draw. */
  readonly title: string;
  readonly foot?: Foot | undefined;
  /** The pane's width in cells, including the left border. The last pane in a row also includes the right border. */
  readonly width: number;
  readonly focused?: boolean;
  /** Returns the pane's lines of at most `area.columns` cells. They may contain colours. */
  readonly draw: (area: Area) => readonly string[];
  /** Another pane in the same frame, below the first `after` lines of this pane. */
  readonly lower?: Pick<Pane, 'title' | 'draw'> & { readonly after: number };
}

/** Panes side by side. All pane rows have the same total width. */
export interface PaneRow {
  /** The height in lines, including the upper border. The last row also includes the lower border. */
  readonly height: number;
  readonly panes: readonly Pane[];
}

/** Draws rows of panes as lines. A row is omitted if its height is 0 or it has no panes. */
export function framed(rows: readonly PaneRow[], look: Look): string[] {
  const shown = rows
    .filter(({ height, panes }) => height > 0 && panes.length > 0)
    .map(({ height, panes }) => ({ height, row: placed(panes) }));
  if (shown.length === 0) return [];
  const lines = shown.flatMap(({ height, row }, index) => {
    const borders = index === shown.length - 1 ? 2 : 1;
    const above = shown[index - 1]?.row;
    return [borderLine(above, row, look), ...contentLines(row, height - borders, look)];
  });
  return [...lines, borderLine(shown.at(-1)?.row, undefined, look)];
}

/** A pane, with the columns of its vertical borders. */
interface Placed {
  readonly pane: Pane;
  readonly left: number;
  readonly right: number;
}

function placed(panes: readonly Pane[]): readonly Placed[] {
  let left = 0;
  return panes.map((pane, index) => {
    const start = left;
    left += pane.width;
    return { pane, left: start, right: index === panes.length - 1 ? left - 1 : left };
  });
}

const frameTone = (isFocused: boolean | undefined): Tone => (isFocused ? 'focus' : 'border');

function contentLines(row: readonly Placed[], height: number, look: Look): string[] {
  const contents = row.map(({ pane, left, right }) => {
    const columns = right - left - 1;
    const lines = dividedLines(pane, { columns, rows: Math.max(0, height) }, look);
    const before = row.find((each) => each.right === left)?.pane;
    const tone = frameTone(pane.focused || before?.focused);
    return (line: number) => {
      const side = sideOf(
        { isLeft: before?.lower?.after === line, isRight: pane.lower?.after === line },
        look,
      );
      return look.paint(tone, side) + exactly(lines[line] ?? '', columns, look);
    };
  });
  const last = row.at(-1)?.pane;
  return Array.from({ length: Math.max(0, height) }, (_, line) => {
    const side = sideOf({ isLeft: last?.lower?.after === line, isRight: false }, look);
    const end = look.paint(frameTone(last?.focused), side);
    return contents.map((content) => content(line)).join('') + end;
  });
}

/** Draws a pane and the pane below it, if any, with a border between them. */
function dividedLines({ draw, lower }: Pane, area: Area, look: Look): readonly string[] {
  if (!lower || lower.after >= area.rows) return draw(area);
  const { columns } = area;
  const upper = draw({ columns, rows: lower.after });
  const rest = lower.draw({ columns, rows: area.rows - lower.after - 1 });
  const { across } = look.glyphs;
  const title = look.paint('title', ` ${look.cut(lower.title, columns - 4)} `);
  const left = Math.max(0, columns - 1 - widthOf(title));
  const divider = look.paint('border', across) + title + look.paint('border', across.repeat(left));
  return [...filled(upper, lower.after), divider, ...rest];
}

/** Returns the character for a vertical border, which depends on the horizontal borders that meet it. */
function sideOf(
  { isLeft, isRight }: { isLeft: boolean; isRight: boolean },
  { glyphs }: Look,
): string {
  if (isLeft) return isRight ? glyphs.cross : glyphs.teeRight;
  return isRight ? glyphs.teeLeft : glyphs.down;
}

/** Returns the border between a row of panes and the row above it. */
function borderLine(
  above: readonly Placed[] | undefined,
  below: readonly Placed[] | undefined,
  look: Look,
): string {
  const width = Math.max(above?.at(-1)?.right ?? 0, below?.at(-1)?.right ?? 0) + 1;
  const [up, down] = [edgesOf(above, width), edgesOf(below, width)];
  const cells = Array.from({ length: width }, (_, at) => ({
    text: junction({ at, width, isUp: up.isEdge[at], isDown: down.isEdge[at] }, look),
    tone: frameTone(up.isFocused[at] || down.isFocused[at]),
  }));
  const titles = titlesOf(below, look);
  return painted(cells, [...titles, ...feetOf(above, titles, look)], look);
}

interface Edges {
  readonly isEdge: readonly boolean[];
  readonly isFocused: readonly boolean[];
}

function edgesOf(row: readonly Placed[] = [], width: number): Edges {
  const isEdge = Array.from({ length: width }, () => false);
  const isFocused = [...isEdge];
  for (const { pane, left, right } of row) {
    isEdge[left] = true;
    isEdge[right] = true;
    if (pane.focused) isFocused.fill(true, left, right + 1);
  }
  return { isEdge, isFocused };
}

interface Junction {
  readonly at: number;
  readonly width: number;
  readonly isUp: boolean | undefined;
  readonly isDown: boolean | undefined;
}

function junction({ at, width, isUp = false, isDown = false }: Junction, { glyphs }: Look): string {
  if (!isUp && !isDown) return glyphs.across;
  const is = isUp && isDown ? 'both' : isUp ? 'up' : 'down';
  const place = at === 0 ? 'left' : at === width - 1 ? 'right' : 'within';
  const table = {
    left: { up: glyphs.bottomLeft, down: glyphs.topLeft, both: glyphs.teeLeft },
    right: { up: glyphs.bottomRight, down: glyphs.topRight, both: glyphs.teeRight },
    within: { up: glyphs.teeBottom, down: glyphs.teeTop, both: glyphs.cross },
  };
  return table[place][is];
}

interface BorderText {
  readonly at: number;
  readonly text: string;
}

/** The number of border cells that remain visible on each side of a text in the border. */
const MARGIN = 2;

function titlesOf(row: readonly Placed[] = [], look: Look): BorderText[] {
  return row.flatMap(({ pane, left, right }) => {
    const room = right - left + 1 - 2 * MARGIN - 2;
    if (pane.title === '' || room < 1) return [];
    const title = ` ${look.cut(pane.title, room)} `;
    const tone = pane.focused ? 'focusedTitle' : 'title';
    return [{ at: left + MARGIN, text: look.paint(tone, title) }];
  });
}

/** Returns the foot texts of a row. They share the border with the titles of the panes below. */
function feetOf(
  row: readonly Placed[] = [],
  titles: readonly BorderText[],
  look: Look,
): BorderText[] {
  return row.flatMap(({ pane, left, right }) => {
    if (!pane.foot) return [];
    const within = titles.filter(({ at }) => at > left && at < right);
    const start = Math.max(left + MARGIN, ...within.map(({ at, text }) => at + widthOf(text) + 1));
    const end = right + 1 - MARGIN;
    const place = pane.focused ? footText(pane.foot.place, end - start, look) : '';
    const placeAt = end - widthOf(place);
    const legend = footText(
      wholeParts(pane.foot.legend ?? '', placeAt - start - 3, look),
      placeAt - start - 1,
      look,
    );
    return [
      { at: placeAt, text: place },
      { at: start, text: legend },
    ].filter(({ text }) => text !== '');
  });
}

/** A text truncated to fewer cells than this is useless, so it is omitted. */
const LEAST_FOOT = 12;

/** Returns the text without the last parts that do not fit. Two spaces separate the parts. */
function wholeParts(text: string, room: number, look: Look): string {
  if (widthOf(text) <= room) return text;
  const parts = plain(text).split('  ');
  while (parts.length > 1 && widthOf(parts.join('  ')) > room) parts.pop();
  return look.paint('dim', parts.join('  '));
}

/** Returns the foot text with a space at both ends. */
function footText(text: string, room: number, look: Look): string {
  if (text === '' || room < Math.min(widthOf(text) + 2, LEAST_FOOT)) return '';
  return ` ${widthOf(text) + 2 <= room ? text : look.cut(plain(text), room - 2)} `;
}

function painted(
  cells: readonly { readonly text: string; readonly tone: Tone }[],
  texts: readonly BorderText[],
  look: Look,
): string {
  let line = '';
  let [run, tone] = ['', 'border' as Tone];
  const flush = () => {
    line += look.paint(tone, run);
    run = '';
  };
  for (let at = 0; at < cells.length; at += 1) {
    const found = texts.find((each) => each.at === at);
    const cell = cells[at];
    if (found) {
      flush();
      line += found.text;
      at += widthOf(found.text) - 1;
    } else if (cell) {
      if (cell.tone !== tone) flush();
      ({ tone } = cell);
      run += cell.text;
    }
  }
  flush();
  return line;
}

export interface PaneOptions {
  readonly title: string;
  readonly width: number;
  /** The height in lines, including both borders. */
  readonly height: number;
  readonly focused?: boolean;
}

/** Draws lines in a separate frame. Lines that do not fit are omitted, so the caller should truncate them first. */
export function pane(lines: readonly string[], options: PaneOptions, look: Look): string[] {
  const { title, width, height, focused = false } = options;
  if (width < 4 || height < 2) return [];
  return framed([{ height, panes: [{ title, width, focused, draw: () => lines }] }], look);
}
