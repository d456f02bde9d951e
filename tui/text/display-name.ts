/**
 * Names from elsewhere, made safe to draw. A key may hold control characters, line feeds, marks that turn the direction
 * of text around, and clusters whose width terminals do not agree on: none may break a row or pass for another name.
 */

import { clustersOf } from './width.ts';

/** Format and invisible characters: they take no cell, and some change how others are drawn. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u;
/** Half of a flag: a terminal may draw it in one cell or two. */
const REGIONAL = /^\p{RI}/u;
const BLANK = /^\p{Zs}$/u;

const codeName = (codePoint: number): string =>
  `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`;

/** `a\nb` is shown as `a␊b`, a right-to-left override as `‹U+202E›`, a family of emoji as its members: `👩‿👩‿👧`. */
export function displayName(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  const written = name.normalize('NFC').replaceAll(/[\u{e33}\u{eb3}]/gu, apart);
  return clustersOf(written).map(displayCluster).join('');
}

/** Two Thai and Lao vowels are a mark and a letter in one character, which look the same as these two. */
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

/** A line feed and what comes with it are one cluster. */
function shownControls(cluster: string): string {
  return Array.from(cluster, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    return codePoint < 0x20 ? String.fromCodePoint(0x2400 + codePoint) : displayName(each);
  }).join('');
}

function allNamed(cluster: string): string {
  return Array.from(cluster, (each) => codeName(each.codePointAt(0) ?? 0)).join('');
}

/** A letter keeps two marks; a pile of them would be drawn over other rows. */
const MOST_MARKS = 2;
/** Another form of the same sign: drawn or not, it looks no different where cells are of one height. */
const FORM = /^[\u{fe00}-\u{fe0f}]$/u;
const MARK = /^\p{M}$/u;
const KEYCAP = '\u{20e3}';
const JOINER = '\u{200d}';

/** What terminals draw in one cell, in two or in the cells of all members: one after the other, which they agree on. */
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

/** Behind a tie it is a cluster of its own. */
function isAlone(character: string | undefined): boolean {
  if (character === undefined || UNSEEN.test(character) || MARK.test(character)) return false;
  return clustersOf(`‿${character}`).length === 2;
}

/** For a terminal without Unicode: what is not ASCII is named by its number. */
export function asciiName(name: string): string {
  return Array.from(name, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    if (codePoint >= 0x20 && codePoint < 0x7f) return each;
    return `<${codePoint.toString(16).toUpperCase().padStart(2, '0')}>`;
  }).join('');
}
