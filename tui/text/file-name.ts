/**
 * Creates file names for objects. Keys are untrusted: the file must stay in its folder, and its name must be
 * safe to show.
 */

/** Control characters, invisible characters, characters that change the text direction, and path separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu;
/** Most file systems allow 255 bytes. The rest is reserved for the name of the temporary file. */
const MOST_BYTES = 220;

/** Returns a name within one folder. It is never empty, `.` or `..`. */
export function fileName(part: string): string {
  const clean = part.replaceAll(UNSAFE, '_');
  if (/^\.{0,2}$/.test(clean)) return clean.replaceAll('.', '_') || '_';
  return shortened(clean);
}

/** Returns the file names for the part of a key after a prefix; undefined if the key represents a folder. */
export function fileNames(rest: string): readonly string[] | undefined {
  if (rest === '' || rest.endsWith('/')) return undefined;
  return rest.split('/').map(fileName);
}

/** Shortens the name and keeps its extension. */
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
