/** The one test of what a header can carry, which all that is stored to be sent in one has to pass (security E.3). */

const [TAB, SPACE, DELETE] = [0x09, 0x20, 0x7f];

/** Whether a character of the text would end the header's line, or be changed on the way. A tab is allowed. */
export function holdsControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code < SPACE && code !== TAB) || code === DELETE) return true;
  }
  return false;
}

/** A header's name, where `*` may stand for any characters too (RFC 9110 `token`). */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}
