/** Reads the cells of an emulated terminal with their colours. */

import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless';

/**
 * Colour of a cell: an index into the palette of 256 colours, or an RGB value as one number.
 * Undefined means the default colour of the terminal.
 */
export type CellColour = { readonly index: number } | { readonly rgb: number };

export interface Cell {
  readonly text: string;
  /** Width in columns: 2 for wide characters, otherwise 1. */
  readonly width: number;
  readonly foreground?: CellColour;
  readonly background?: CellColour;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
}

export function cellsOf(terminal: Terminal): readonly (readonly Cell[])[] {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, row) =>
    lineCells(active.getLine(active.baseY + row)),
  );
}

export function lineCells(line: IBufferLine | undefined): readonly Cell[] {
  const cells: Cell[] = [];
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line?.getCell(column);
    // The second column of a wide character is a cell of width 0, which is omitted.
    if (cell && cell.getWidth() > 0) cells.push(cellOf(cell));
  }
  return cells;
}

function cellOf(cell: IBufferCell): Cell {
  const foreground = colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const background = colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  return {
    text: cell.getChars() || ' ',
    width: cell.getWidth(),
    ...(foreground && { foreground }),
    ...(background && { background }),
    isBold: cell.isBold() > 0,
    isDim: cell.isDim() > 0,
    isItalic: cell.isItalic() > 0,
    isUnderlined: cell.isUnderline() > 0,
    isInverse: cell.isInverse() > 0,
  };
}

function colourOf(isDefault: boolean, isRgb: boolean, value: number): CellColour | undefined {
  if (isDefault) return undefined;
  return isRgb ? { rgb: value } : { index: value };
}
