/** Names of files for objects. A key comes from anywhere: what is made of it stays in its folder and is safe to look at. */

/** What terminals obey, what no name shows, and what turns the direction of text around. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu;
/** Of nearly all file systems; some bytes are left for the name of the unfinished file. */
const MOST_BYTES = 220;

/** A name within one folder, never empty, `.` or `..`. */
export function fileName(part: string): string {
  const clean = part.replaceAll(UNSAFE, '_');
  if (/^\.{0,2}$/.test(clean)) return clean.replaceAll('.', '_') || '_';
  return shortened(clean);
}

/** The names below a folder for what follows a prefix; undefined for what only stands for a folder. */
export function fileNames(rest: string): readonly string[] | undefined {
  if (rest === '' || rest.endsWith('/')) return undefined;
  return rest.split('/').map(fileName);
}

/** The extension stays. */
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
