/** Converts tones to SGR escape sequences (ECMA-48) for the terminal's colour depth. */

import { invariant } from '../../src/base/errors.ts';
import { nearestIndex, parseHex } from './colour.ts';
import type { Rgb } from './colour.ts';
import type { Skin } from './skins.ts';
import { meaningOf, TONES } from './tones.ts';
import type { ColourName, Tone } from './tones.ts';

/** The number of colours that the terminal supports. */
export type ColourDepth = 'truecolour' | '256' | '16' | 'mono';

interface Style {
  readonly open: string;
  readonly close: string;
}

export type Styles = Readonly<Record<Tone, Style>>;

/** Returns the escape sequences for each tone. `skin` is undefined on a terminal without colours. */
export function stylesOf(skin: Skin | undefined, depth: ColourDepth): Styles {
  const styles = Object.keys(TONES).map((tone) => {
    return [tone, styleOf(codesOf(tone as Tone, skin, depth))] as const;
  });
  return Object.fromEntries(styles) as Styles;
}

function codesOf(tone: Tone, skin: Skin | undefined, depth: ColourDepth): string {
  const { colour, background, isBold, mono } = meaningOf(tone);
  if (skin === undefined || depth === 'mono') return mono === undefined ? '' : MONO[mono];
  if (depth === '16') return skin.sixteen[tone];
  if (tone === 'cursor') return MONO.inverse;
  const codes = [
    ...(isBold ? [MONO.bold] : []),
    ...(colour === undefined ? [] : [`38;${colourCodes(skin, colour, depth)}`]),
    ...(background === undefined ? [] : [`48;${colourCodes(skin, background, depth)}`]),
  ];
  return codes.join(';');
}

const MONO = { bold: '1', dim: '2', inverse: '7' } as const;

function colourCodes(skin: Skin, name: ColourName, depth: '256' | 'truecolour'): string {
  return depth === '256' ? `5;${indexOf(skin, name)}` : `2;${rgbOf(skin, name).join(';')}`;
}

export function rgbOf({ colours }: Skin, name: ColourName): Rgb {
  const colour = parseHex(colours[name]);
  invariant(colour, `colour ${name} of a skin is #rrggbb`);
  return colour;
}

/** Returns the colour's number on a 256-colour terminal. */
export function indexOf(skin: Skin, name: ColourName): number {
  return skin.indexed?.[name] ?? nearestIndex(rgbOf(skin, name));
}

/** Each style resets only its own attributes, so that a styled text can contain text in another style. */
function styleOf(codes: string): Style {
  if (codes === '') return { open: '', close: '' };
  const ends = new Set<number>();
  const numbers = codes.split(';').map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    ends.add(endOf(code));
    if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
  }
  return { open: `\u{1b}[${codes}m`, close: `\u{1b}[${[...ends].join(';')}m` };
}

/** Returns the code that ends the attribute of an SGR code. */
export function endOf(code: number): number {
  if (code <= 2) return 22;
  if (code === 7) return 27;
  const isBackground = (code >= 40 && code < 50) || code >= 100;
  return isBackground ? 49 : 39;
}

/** Matches the escape sequences that end a style. */
const ESCAPE = '\u{1b}';
const END = new RegExp(`${ESCAPE}\\[(?:22|27|39|49)(?:;(?:22|27|39|49))*m`, 'gu');

/** Returns the text in the style. After each differently styled part, the outer style starts again. */
export function styled({ open, close }: Style, text: string): string {
  if (open === '' || text === '') return text;
  const inner = text.includes(ESCAPE) ? text.replaceAll(END, (end) => end + open) : text;
  return open + inner + close;
}
