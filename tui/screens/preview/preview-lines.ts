/** The first bytes of an object as lines to be read: as text, or byte by byte. Pure. */

import { clustersOf, widthOf } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';

export type PreviewMode = 'text' | 'hex';

/** Text where it can be: what holds a zero byte or is no UTF-8 is none. The last character may have been cut in two. */
export function modeOf(bytes: Uint8Array, isWhole: boolean): PreviewMode {
  if (bytes.includes(0)) return 'hex';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return 'text';
  } catch {
    return 'hex';
  }
}

/** Lines of at most `width` cells; controls are shown, never sent to the terminal. */
export function textLines(bytes: Uint8Array, width: number, look: Look): string[] {
  const text = new TextDecoder('utf-8').decode(bytes);
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line) => broken(look.name(line.replaceAll('\t', '    ')), width));
}

/** Broken at the edge of the screen and nowhere else: blanks matter in what is looked at. */
function broken(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let [text, cells] = ['', 0];
  for (const cluster of clustersOf(line)) {
    const wide = widthOf(cluster);
    if (cells + wide > width) {
      lines.push(text);
      [text, cells] = ['', 0];
    }
    text += cluster;
    cells += wide;
  }
  return [...lines, text];
}

/** `00000010  68 65 6c …  |hello…|`, eight or sixteen bytes a line. */
export function hexLines(bytes: Uint8Array, width: number): string[] {
  const perLine = width >= 10 + 16 * 3 + 2 + 18 ? 16 : 8;
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += perLine) {
    const part = [...bytes.subarray(start, start + perLine)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    const at = start.toString(16).padStart(8, '0');
    lines.push(`${at}  ${hex.padEnd(perLine * 3 - 1)}  |${text.join('')}|`);
  }
  return lines;
}
