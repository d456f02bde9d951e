/**
 * Matches wildcards without exponential backtracking. The number of steps is at most the glob's length times the text's
 * length.
 */

/** Matches any number of parts. It stands for `*` in the characters of a name, and for `**` in the names of a path. */
export const ANY_NUMBER = Symbol('any number');

export type Glob<P> = readonly (P | typeof ANY_NUMBER)[];

/** Returns whether a part of the glob matches the part of the text at this index. */
type Fits<P> = (part: P, at: number) => boolean;

/**
 * Returns whether a text of `length` parts matches the glob. After a mismatch, only the latest ANY_NUMBER is extended.
 * That is sufficient: matching the parts between two of them as early as possible leaves the most text for the rest.
 */
export function globMatches<P>(glob: Glob<P>, length: number, fits: Fits<P>): boolean {
  const lastStar = glob.lastIndexOf(ANY_NUMBER);
  if (lastStar < 0) return length === glob.length && fitsFrom(glob, 0, 0, fits);
  const end = length - (glob.length - 1 - lastStar);
  if (end < 0 || !fitsFrom(glob, lastStar + 1, end, fits)) return false;
  let [index, at, star, resumeAt] = [0, 0, -1, 0];
  while (index < lastStar) {
    const part = glob[index] as Glob<P>[number];
    if (part === ANY_NUMBER) {
      star = index;
      resumeAt = at;
      index += 1;
    } else if (at >= end) {
      return false;
    } else if (fits(part, at)) {
      index += 1;
      at += 1;
    } else if (star < 0) {
      return false;
    } else {
      index = star + 1;
      at = resumeAt += 1;
    }
  }
  return true;
}

/** Returns whether the glob's remainder from `index`, which contains no ANY_NUMBER, matches the text from `at`. */
function fitsFrom<P>(glob: Glob<P>, index: number, at: number, fits: Fits<P>): boolean {
  for (let offset = 0; index + offset < glob.length; offset += 1)
    if (!fits(glob[index + offset] as P, at + offset)) return false;
  return true;
}
