/**
 * The mouse's wheel as arrow keys (xterm, "Alternate Scroll Mode"). The terminal's own selection goes on working, as it
 * does not where a program takes the mouse.
 */

export function wheelSequence(on: boolean): string {
  return `\u{1b}[?1007${on ? 'h' : 'l'}`;
}
