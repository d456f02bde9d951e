/** Detects the terminal's colours, background and character set from the environment variables. */

import type { ColourDepth } from './styles.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the terminal's colour depth. It is `mono` if NO_COLOR is set, and for a VT100 or similar terminal. */
export function depthOf(env: Env): ColourDepth {
  const term = env['TERM'] ?? '';
  if (env['NO_COLOR'] || /^vt\d/.test(term)) return 'mono';
  // The Linux console accepts more colours, but shows the nearest of its 16 colours.
  if (term === 'linux') return '16';
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) {
    return 'truecolour';
  }
  return /256/.test(term) || env['COLORTERM'] ? '256' : '16';
}

/** Returns the terminal's background: `light` if `COLORFGBG` reports a light colour, otherwise `dark`. */
export function backgroundOf(env: Env): 'dark' | 'light' {
  const background = Number(env['COLORFGBG']?.split(';').at(-1));
  return background === 7 || background === 15 ? 'light' : 'dark';
}

/** Returns the character set that the locale specifies. The Linux console always gets ASCII. */
export function charsetOf(env: Env, platform: string): 'unicode' | 'ascii' {
  if (env['TERM'] === 'linux') return 'ascii';
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (!locale) return platform === 'darwin' ? 'unicode' : 'ascii';
  return /utf-?8/i.test(locale) ? 'unicode' : 'ascii';
}
