/** The symbols that the dashboard draws, in one set with Unicode and one without. */

export interface Glyphs {
  readonly ellipsis: string;
  /** Symbol before the row under the cursor, on a terminal without colours. */
  readonly pointer: string;
  /** Symbol before the row under the cursor, on a terminal with colours. */
  readonly selected: string;
  readonly marked: string;
  readonly deleted: string;
  readonly dot: string;
  readonly none: string;
  readonly arrow: string;
  readonly crumb: string;
  readonly up: string;
  readonly upDown: string;
  readonly full: string;
  readonly empty: string;
  readonly busy: string;
  readonly bars: readonly string[];
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  readonly across: string;
  readonly down: string;
  /** Junctions of lines: left, right, upper and lower edge, and crossings. */
  readonly teeLeft: string;
  readonly teeRight: string;
  readonly teeTop: string;
  readonly teeBottom: string;
  readonly cross: string;
}

export const UNICODE: Glyphs = {
  ellipsis: '…',
  pointer: '❯',
  selected: '▌',
  marked: '*',
  deleted: '×',
  dot: '●',
  none: '–',
  arrow: '→',
  crumb: '›',
  up: '↑',
  upDown: '↑↓',
  full: '█',
  empty: '░',
  busy: '▒',
  bars: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  topLeft: '╭',
  topRight: '╮',
  bottomLeft: '╰',
  bottomRight: '╯',
  across: '─',
  down: '│',
  teeLeft: '├',
  teeRight: '┤',
  teeTop: '┬',
  teeBottom: '┴',
  cross: '┼',
};

export const ASCII: Glyphs = {
  ellipsis: '~',
  pointer: '>',
  selected: '>',
  marked: '*',
  deleted: 'x',
  dot: 'o',
  none: '-',
  arrow: '->',
  crumb: '>',
  up: '^',
  upDown: 'up/down',
  full: '#',
  empty: '.',
  busy: '=',
  bars: ['_', '.', ',', '-', '=', '+', '*', '#'],
  topLeft: '+',
  topRight: '+',
  bottomLeft: '+',
  bottomRight: '+',
  across: '-',
  down: '|',
  teeLeft: '+',
  teeRight: '+',
  teeTop: '+',
  teeBottom: '+',
  cross: '+',
};
