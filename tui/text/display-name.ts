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

/** `a\nb` is shown as `a␊b`, a right-to-left override as `‹U+202E›`, a family of emoji by its first member. */
export function displayName(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  return clustersOf(name.normalize('NFC')).map(displayCluster).join('');
}

function displayCluster(cluster: string): string {
  const codePoint = cluster.codePointAt(0) ?? 0;
  if (codePoint < 0x20) return shownControls(cluster);
  if (codePoint === 0x7f) return '␡';
  if (codePoint < 0xa0 && codePoint > 0x7f) return codeName(codePoint);
  const base = String.fromCodePoint(codePoint);
  if (REGIONAL.test(base) || UNSEEN.test(base)) return allNamed(cluster);
  if (BLANK.test(base) && base !== ' ') return codeName(codePoint);
  const rest = cluster.slice(base.length);
  if (rest === '' || /^\p{M}+$/u.test(rest)) return withMarks(base, rest);
  return base;
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

function withMarks(base: string, marks: string): string {
  if (/[\u{fe00}-\u{fe0f}\u{20e3}]/u.test(marks)) return base;
  return base + Array.from(marks).slice(0, MOST_MARKS).join('');
}

/** For a terminal without Unicode: what is not ASCII is named by its number. */
export function asciiName(name: string): string {
  return Array.from(name, (each) => {
    const codePoint = each.codePointAt(0) ?? 0;
    if (codePoint >= 0x20 && codePoint < 0x7f) return each;
    return `<${codePoint.toString(16).toUpperCase().padStart(2, '0')}>`;
  }).join('');
}
