/** Escape sequences that a terminal sends for keys that are not characters, such as Enter. */

export const NAMED_KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\u{1b}',
  tab: '\t',
  'shift-tab': '\u{1b}[Z',
  up: '\u{1b}[A',
  down: '\u{1b}[B',
  right: '\u{1b}[C',
  left: '\u{1b}[D',
  pageup: '\u{1b}[5~',
  pagedown: '\u{1b}[6~',
  home: '\u{1b}[H',
  end: '\u{1b}[F',
  space: ' ',
  backspace: '\u{7f}',
};
