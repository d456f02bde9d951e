/** Formats the first bytes of an object as lines of text or as a hexadecimal dump. */

import type { SpanLine } from '../../syntax/span.ts';

export type PreviewMode = 'text' | 'hex';

/**
 * Returns `text` if the bytes are valid UTF-8 without zero bytes, otherwise `hex`. If the bytes are not the whole
 * content, the last character may be incomplete.
 */
export function modeOf(bytes: Uint8Array, isWhole: boolean): PreviewMode {
  if (bytes.includes(0)) return 'hex';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return 'text';
  } catch {
    return 'hex';
  }
}

/**
 * Returns the text with LF line endings and without a final line ending. `isWhole` means that the bytes are the whole
 * content, so that no character is cut off.
 */
export function textOf(bytes: Uint8Array, isWhole: boolean): string {
  const text = new TextDecoder('utf-8').decode(bytes, { stream: !isWhole });
  return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

/** Returns the lines of a text without highlighting. */
export function plainLines(text: string): SpanLine[] {
  return text.split('\n').map((line) => [{ text: line, tone: 'plain' }]);
}

/** Returns lines such as `00000010  68 65 6c …  |hello…|`, with eight or sixteen bytes per line. */
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
