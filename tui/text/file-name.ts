/**
 * Converts object keys to file names. Keys are untrusted, so the file must stay in its folder, and its name must be
 * safe to show.
 */

/** Matches control characters, invisible characters, characters that change the text direction, and path separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu;
/** Most file systems limit a name to 255 bytes. The remaining bytes are for the suffix of the temporary file. */
const MOST_BYTES = 220;

/** Returns a file name without path separators. It is never empty, `.` or `..`. */
export function fileName(part: string): string {
  const clean = part.replaceAll(UNSAFE, '_');
  if (/^\.{0,2}$/.test(clean)) return clean.replaceAll('.', '_') || '_';
  return shortened(clean);
}

/**
 * Returns the path components for the part of a key after a prefix. Returns undefined if the key represents a folder.
 */
export function fileNames(rest: string): readonly string[] | undefined {
  if (rest === '' || rest.endsWith('/')) return undefined;
  return rest.split('/').map(fileName);
}

/** Shortens the file name to the size limit and preserves its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const extension = /\.[^.]{1,12}$/u.exec(name)?.[0] ?? '';
  let stem = Array.from(name.slice(0, name.length - extension.length));
  while (Buffer.byteLength(stem.join('') + extension) > MOST_BYTES) {
    const over = Buffer.byteLength(stem.join('') + extension) - MOST_BYTES;
    stem = stem.slice(0, -Math.max(1, Math.floor(over / 4)));
  }
  return stem.join('') + extension;
}
