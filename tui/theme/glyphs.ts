/**
 * The symbols that the dashboard draws: one set for Unicode terminals and one for ASCII terminals.
 */

export interface Glyphs {
  readonly ellipsis: string;
  /** The symbol before the selected row on a terminal without colours. */
  readonly pointer: string;
  /** The symbol before the selected row on a terminal with colours. */
  readonly selected: string;
  readonly marked: string;
  readonly deleted: string;
  readonly dot: string;
  readonly none: string;
  readonly arrow: string;
  readonly crumb: string;
  readonly up: string;
  readonly downward: string;
  readonly upDown: string;
  readonly full: string;
  readonly empty: string;
  readonly busy: string;
  /** Characters that fill a cell partly, from the left, smallest part first. Empty if the character set has none. */
  readonly slices: readonly string[];
  readonly bars: readonly string[];
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  readonly across: string;
  readonly down: string;
  /**
   * Characters where frame lines meet: at the left, right, upper and lower edge, and at crossings.
   */
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
  downward: '↓',
  upDown: '↑↓',
  full: '█',
  empty: '░',
  busy: '▒',
  slices: ['▏', '▎', '▍', '▌', '▋', '▊', '▉'],
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
  downward: 'v',
  upDown: 'up/down',
  full: '#',
  empty: '.',
  busy: '=',
  slices: [],
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
