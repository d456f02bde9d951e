/** What the environment says about the terminal: its colours, its background and its characters. */

import type { ColourDepth } from './styles.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `mono` under NO_COLOR and on a VT100 and its kin. */
export function depthOf(env: Env): ColourDepth {
  const term = env['TERM'] ?? '';
  if (env['NO_COLOR'] || /^vt\d/.test(term)) return 'mono';
  // The console of Linux takes more colours, and shows the nearest of its 16.
  if (term === 'linux') return '16';
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) {
    return 'truecolour';
  }
  return /256/.test(term) || env['COLORTERM'] ? '256' : '16';
}

/** `light` where the terminal says that its background is (`COLORFGBG`). */
export function backgroundOf(env: Env): 'dark' | 'light' {
  const background = Number(env['COLORFGBG']?.split(';').at(-1));
  return background === 7 || background === 15 ? 'light' : 'dark';
}

/** The locale says which characters the terminal is to be sent. */
export function charsetOf(env: Env, platform: string): 'unicode' | 'ascii' {
  if (env['TERM'] === 'linux') return 'ascii';
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (!locale) return platform === 'darwin' ? 'unicode' : 'ascii';
  return /utf-?8/i.test(locale) ? 'unicode' : 'ascii';
}
