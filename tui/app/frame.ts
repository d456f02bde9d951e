/**
 * Draws a complete frame of the terminal as lines: header, screen, footer and dialog. It does not depend on React or on
 * the terminal.
 */

import { coloured, exactly, filled, plain } from '../widgets/layout.ts';
import { framed } from '../widgets/panes.ts';
import { clustersOf, pad, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import {
  crumbsLine,
  footerLine,
  hintsText,
  headerLine,
  LEAST,
  tabsLine,
  toastLines,
  tooSmall,
} from './chrome.ts';
import type { Drawn, Overlay } from '../widgets/overlay.ts';
import type { Ui } from '../ui/ui.ts';

export interface Frame {
  /** One line for each row of the terminal. */
  readonly lines: readonly string[];
  /** The dialog on top of the lines. Its lines are padded, so that the lines behind them are not visible. */
  readonly box?: { readonly left: number; readonly top: number; readonly lines: readonly string[] };
}

export function drawFrame(ui: Ui, pending: string, columns: number, rows: number): Frame {
  const { look, router } = ui;
  if (isTooSmall(columns, rows)) return { lines: filled(tooSmall(columns, rows, look), rows) };
  const crumbs = crumbsLine(ui, columns);
  const head = [
    headerLine(ui, columns),
    tabsLine(ui, columns),
    ...(crumbs === undefined ? [] : [crumbs]),
  ];
  const room = rows - head.length - 1;
  const body = filled(router.top.draw({ columns, rows: room }, look), room);
  // While the daemon is down, the last known data remains readable. It is dimmed, because it may be stale.
  const shown = ui.link.state.kind === 'down' ? body.map((line) => dimmed(ui, line)) : body;
  const drawn = ui.overlay ? drawOverlay(ui, ui.overlay, { columns, rows: room }) : undefined;
  const foot = drawn?.line ?? footerLine(ui, pending, columns);
  // A message covers the last lines of the screen, so that no line moves. A dialog does not cover messages.
  const toasts = toastLines(
    ui,
    columns,
    room - (drawn?.box ? drawn.box.top + drawn.box.lines.length : 0),
  );
  const seen = shown.slice(0, room - toasts.length);
  const last = toasts.at(-1);
  if (last !== undefined) toasts[toasts.length - 1] = beforeBorder(last, shown.at(-1) ?? '', look);
  const lines = [...head, ...seen, ...toasts, foot].map((line) =>
    exactly(coloured(line), columns, look),
  );
  if (!drawn?.box) return { lines };
  // The header is not dimmed, because it may report that the daemon is down.
  const isDimmed = (row: number) => row > 0 && row < head.length + seen.length;
  const backdrop = lines.map((line, row) =>
    isDimmed(row) ? pad(dimmed(ui, line), columns) : line,
  );
  return { lines: backdrop, box: { ...drawn.box, top: drawn.box.top + head.length } };
}

/** Returns the frame that is shown until the screens are loaded. */
export function drawFirstFrame(ui: Ui, columns: number, rows: number): Frame {
  if (isTooSmall(columns, rows)) return { lines: filled(tooSmall(columns, rows, ui.look), rows) };
  const head = [headerLine(ui, columns), tabsLine(ui, columns)];
  return { lines: filled(head, rows).map((line) => exactly(line, columns, ui.look)) };
}

/** Returns whether the terminal is too small for a screen. */
export function isTooSmall(columns: number, rows: number): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

/** Returns a message, and behind it the rest of the border that it covers, such as `── 3 of 48 ─╯`. */
function beforeBorder(message: string, border: string, look: Look): string {
  const text = plain(border);
  const cells = clustersOf(text);
  const start = cells.indexOf(look.glyphs.across, widthOf(message) + 1);
  if (start < 0 || cells.at(-1) !== look.glyphs.bottomRight || widthOf(text) !== cells.length)
    return message;
  return pad(message, start) + look.paint('dim', cells.slice(start).join(''));
}

function dimmed(ui: Ui, line: string): string {
  return ui.look.paint('dim', plain(line).trimEnd());
}

interface DrawnOverlay {
  readonly line?: string;
  readonly box?: NonNullable<Frame['box']>;
}

const MOST_COLUMNS = 100;
const LEAST_COLUMNS = 30;

function drawOverlay(
  ui: Ui,
  overlay: Overlay,
  room: { columns: number; rows: number },
): DrawnOverlay {
  const { look } = ui;
  // The row below the dialog remains free for a message.
  const inner = { columns: Math.min(MOST_COLUMNS, room.columns - 4) - 4, rows: room.rows - 3 };
  const drawn = overlay.draw(inner, look);
  if (drawn.at === 'line') return { line: overlay.draw({ ...room, rows: 1 }, look).lines[0] ?? '' };
  const lines = boxLines(drawn, inner, look);
  const left = Math.max(0, Math.floor((room.columns - widthOf(lines[0] ?? '')) / 2));
  const top = Math.max(0, Math.floor((room.rows - lines.length) / 3));
  return { box: { left, top, lines } };
}

function boxLines(
  drawn: Drawn,
  inner: { columns: number; rows: number },
  look: Ui['look'],
): string[] {
  const content = drawn.lines.slice(0, inner.rows);
  const keys = drawn.keys === undefined ? '' : hintsText(drawn.keys, look);
  const widest = Math.max(widthOf(drawn.title) + 4, widthOf(keys) + 2, ...content.map(widthOf));
  const width = Math.min(inner.columns, Math.max(LEAST_COLUMNS, widest)) + 4;
  const padded = content.map((line, index) => {
    if (index !== drawn.selected) return ` ${coloured(line)}`;
    return ` ${look.select(pad(coloured(line), width - 4))}`;
  });
  const box = { title: coloured(drawn.title), foot: { place: keys }, width, focused: true };
  const row = { height: content.length + 2, panes: [{ ...box, draw: () => padded }] };
  // A blank on both sides separates the dialog from the text behind it.
  return framed([row], look).map((line) => ` ${line} `);
}
