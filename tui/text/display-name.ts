/**
 * Escapes untrusted names for drawing. A key may contain control characters, line feeds, marks that change
 * the text direction, and clusters whose width differs between terminals. None of them may break a row or
 * imitate another name.
 */

import { clustersOf } from './width.ts';

/** Format and invisible characters. They take no cell, and some change how other characters are drawn. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u;
/** A regional indicator, which is half of a flag. Terminals draw it in one cell or two. */
const REGIONAL = /^\p{RI}/u;
const BLANK = /^\p{Zs}$/u;

const codeName = (codePoint: number): string =>
  `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`;

/** Shows `a\nb` as `a␊b`, a right-to-left override as `‹U+202E›`, and a family of emoji as its members: `👩‿👩‿👧`. */
export function displayName(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  const written = name.normalize('NFC').replaceAll(/[\u{e33}\u{eb3}]/gu, apart);
  return clustersOf(written).map(displayCluster).join('');
}

/** Two Thai and Lao vowels combine a mark and a letter in one character. The two separate characters look the same. */
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

/** A line feed and the characters after it may form one cluster. */
function shownControls(cluster: string): string {
  return Array.from(cluster, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    return codePoint < 0x20 ? String.fromCodePoint(0x2400 + codePoint) : displayName(each);
  }).join('');
}

function allNamed(cluster: string): string {
  return Array.from(cluster, (each) => codeName(each.codePointAt(0) ?? 0)).join('');
}

/** A letter keeps at most two marks, because more marks would be drawn over other rows. */
const MOST_MARKS = 2;
/** Variation selectors. In a terminal, the character looks the same without them. */
const FORM = /^[\u{fe00}-\u{fe0f}]$/u;
const MARK = /^\p{M}$/u;
const KEYCAP = '\u{20e3}';
const JOINER = '\u{200d}';

/**
 * Returns the members of a cluster one after the other. Terminals draw the cluster in one cell, in two, or in
 * the cells of all members, but they agree on the width of each member.
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

/** Returns whether the character forms a cluster of its own after the tie `‿`. */
function isAlone(character: string | undefined): boolean {
  if (character === undefined || UNSEEN.test(character) || MARK.test(character)) return false;
  return clustersOf(`‿${character}`).length === 2;
}

/** For a terminal without Unicode: replaces characters outside ASCII with their code points. */
export function asciiName(name: string): string {
  return Array.from(name, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    if (codePoint >= 0x20 && codePoint < 0x7f) return each;
    return `<${codePoint.toString(16).toUpperCase().padStart(2, '0')}>`;
  }).join('');
}
