/** How things are drawn: colours by meaning, shapes, and names made safe. Views are handed one and know nothing else. */

import { asciiName, displayName } from '../text/display-name.ts';
import { cutEnd, cutMiddle, fit } from '../text/width.ts';
import type { Fit } from '../text/width.ts';
import { ASCII, UNICODE } from './glyphs.ts';
import type { Glyphs } from './glyphs.ts';

export type ThemeName = 'dark' | 'light' | 'mono';

export const THEMES: readonly ThemeName[] = ['dark', 'light', 'mono'];

/** What a colour means. None carries its meaning alone: a letter, a shape or a word says it too. */
export type Tone =
  | 'plain'
  | 'strong'
  | 'dim'
  | 'good'
  | 'attention'
  | 'bad'
  | 'accent'
  | 'selected'
  | 'marked';

/** Select Graphic Rendition, numbers of ECMA-48; the sixteen colours only, which the user's own palette defines. */
const STYLES: Readonly<Record<ThemeName, Readonly<Record<Tone, string>>>> = {
  dark: {
    plain: '',
    strong: '1',
    dim: '2',
    good: '32',
    attention: '33',
    bad: '91',
    accent: '36',
    selected: '7',
    marked: '1;33',
  },
  light: {
    plain: '',
    strong: '1',
    dim: '2',
    good: '32',
    attention: '35',
    bad: '31',
    accent: '34',
    selected: '7',
    marked: '1;35',
  },
  mono: {
    plain: '',
    strong: '1',
    dim: '2',
    good: '',
    attention: '1',
    bad: '1',
    accent: '',
    selected: '7',
    marked: '1',
  },
};

export interface Look {
  readonly theme: ThemeName;
  readonly glyphs: Glyphs;
  /** The text in that tone. It must hold no escape sequences of its own but those of `paint`. */
  paint(tone: Tone, text: string): string;
  /** A name from elsewhere, safe to draw. */
  name(text: string): string;
  /** Exactly `width` cells of a text that is safe; a name is cut in its middle. */
  fit(text: string, width: number, how?: Omit<Fit, 'ellipsis'>): string;
  cut(text: string, width: number, how?: 'end' | 'middle'): string;
}

export function makeLook(theme: ThemeName, charset: 'unicode' | 'ascii' = 'unicode'): Look {
  const styles = STYLES[theme];
  const glyphs = charset === 'ascii' ? ASCII : UNICODE;
  const { ellipsis } = glyphs;
  return {
    theme,
    glyphs,
    paint: (tone, text) => {
      const style = styles[tone];
      return style === '' || text === '' ? text : `\u{1b}[${style}m${text}\u{1b}[0m`;
    },
    name: charset === 'ascii' ? asciiName : displayName,
    fit: (text, width, how) => fit(text, width, { ...how, ellipsis }),
    cut: (text, width, how = 'end') =>
      (how === 'middle' ? cutMiddle : cutEnd)(text, width, ellipsis),
  };
}

/** `light` where the terminal says that its background is (`COLORFGBG`); `mono` under NO_COLOR and on a VT100 and its kin. */
export function themeOf(env: Readonly<Record<string, string | undefined>>): ThemeName {
  if (env['NO_COLOR'] || /^vt\d/.test(env['TERM'] ?? '')) return 'mono';
  const background = Number(env['COLORFGBG']?.split(';').at(-1));
  return background === 7 || background === 15 ? 'light' : 'dark';
}

/** The locale says which characters the terminal is to be sent. */
export function charsetOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): 'unicode' | 'ascii' {
  if (env['TERM'] === 'linux') return 'ascii';
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (!locale) return platform === 'darwin' ? 'unicode' : 'ascii';
  return /utf-?8/i.test(locale) ? 'unicode' : 'ascii';
}
