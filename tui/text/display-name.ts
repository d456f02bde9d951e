/**
 * Escapes untrusted names for drawing. An object key may contain control characters, line feeds, marks that change the
 * text direction, and grapheme clusters whose width differs between terminals. None of them may break a row or imitate
 * another name.
 */

import { clustersOf } from './width.ts';

/** Format characters and invisible characters. They occupy no cell, and some change how other characters are drawn. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u;
/** A regional indicator (half of a flag emoji). Some terminals draw it in one cell, others in two. */
const REGIONAL = /^\p{RI}/u;
const BLANK = /^\p{Zs}$/u;

const codeName = (codePoint: number): string =>
  `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Returns a visible form of the name: `a␊b` for `a
 *
 * b`, `‹U+202E›` for a right-to-left override, and `👩‿👩‿👧` for a family emoji.
 */
export function displayName(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  const written = name.normalize('NFC').replaceAll(/[\u{e33}\u{eb3}]/gu, apart);
  return clustersOf(written).map(displayCluster).join('');
}

/**
 * In Thai and Lao, one vowel character combines a mark and a letter. It looks the same as the two separate characters.
 */
function apart(vowel: string): string {
  return vowel.normalize('NFKD');
}

function displayCluster(cluster: string): string {
  const codePoint = cluster.codePointAt(0) ?? 0;
  if (codePoint < 0x20) return shownControls(cluster);
  if (codePoint === 0x7f) return '␡';
  if (codePoint < 0xa0 && codePoint > 0x7f) return codeName(codePoint);
  const base = String.fromCodePoint(codePoint);
  if (REGIONAL.test(base) || UNSEEN.test(base)) return allNamed(cluster);
  if (BLANK.test(base) && base !== ' ') return codeName(codePoint);
  return base === cluster ? base : takenApart(base, Array.from(cluster.slice(base.length)));
}

/** Replaces each character of the cluster, because a line feed and the characters after it may form one cluster. */
function shownControls(cluster: string): string {
  return Array.from(cluster, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    return codePoint < 0x20 ? String.fromCodePoint(0x2400 + codePoint) : displayName(each);
  }).join('');
}

function allNamed(cluster: string): string {
  return Array.from(cluster, (each) => codeName(each.codePointAt(0) ?? 0)).join('');
}

/** A letter keeps at most two combining marks, because more marks would be drawn over other rows. */
const MOST_MARKS = 2;
/** Matches variation selectors, which make no visible difference in a terminal. */
const FORM = /^[\u{fe00}-\u{fe0f}]$/u;
const MARK = /^\p{M}$/u;
const KEYCAP = '\u{20e3}';
const JOINER = '\u{200d}';

/**
 * Returns the characters of a grapheme cluster one after the other. Some terminals draw a cluster in one cell, others
 * in two or more, but all agree on the width of each character.
 */
function takenApart(base: string, others: readonly string[]): string {
  let shown = base;
  let marks = 0;
  for (const [index, each] of others.entries()) {
    if (FORM.test(each)) continue;
    if (MARK.test(each) && each !== KEYCAP) {
      marks += 1;
      if (marks <= MOST_MARKS) shown += each;
      continue;
    }
    marks = 0;
    if (each === JOINER && isAlone(others[index + 1])) continue;
    shown += isAlone(each) ? `‿${each}` : codeName(each.codePointAt(0) ?? 0);
  }
  return shown;
}

/** Returns whether a terminal draws the character as a separate cluster after the tie `‿`. */
function isAlone(character: string | undefined): boolean {
  if (character === undefined || UNSEEN.test(character) || MARK.test(character)) return false;
  return clustersOf(`‿${character}`).length === 2;
}

/** Replaces characters outside ASCII with their code points, for a terminal without Unicode. */
export function asciiName(name: string): string {
  return Array.from(name, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    if (codePoint >= 0x20 && codePoint < 0x7f) return each;
    return `<${codePoint.toString(16).toUpperCase().padStart(2, '0')}>`;
  }).join('');
}
