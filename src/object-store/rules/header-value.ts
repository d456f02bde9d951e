/** Validates text that is stored and later sent in a response header (security E.3). */

const [TAB, SPACE, DELETE] = [0x09, 0x20, 0x7f];

/**
 * Returns whether the text contains a control character other than a tab. Such a character could end the header line,
 * or proxies could change it.
 */
export function holdsControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code < SPACE && code !== TAB) || code === DELETE) return true;
  }
  return false;
}

/**
 * Returns whether the text is a header name (RFC 9110 `token`). `*` is valid in a header name, so a name with wildcards
 * is accepted too.
 */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}
