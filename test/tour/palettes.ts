/**
 * Colours of the terminals in which the tour draws, one palette for each theme of the dashboard.
 */

import type { CellColour } from '../helpers/tui/cells.ts';

export interface Palette {
  readonly foreground: number;
  readonly background: number;
  /** The sixteen colours that the user's terminal defines. */
  readonly ansi: readonly number[];
}

/**
 * Default colours of Windows Terminal (`Campbell`), which are similar to those of most dark
 * terminals.
 */
const DARK: Palette = {
  foreground: 0xcccccc,
  background: 0x0c0c0c,
  ansi: [
    0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x3b78ff, 0x881798, 0x3a96dd, 0xcccccc, 0x767676,
    0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2,
  ],
};

/** Default colours of the GNOME terminal with a light background. */
const LIGHT: Palette = {
  foreground: 0x171421,
  background: 0xffffff,
  ansi: [
    0x171421, 0xc01c28, 0x26a269, 0xa2734c, 0x12488b, 0xa347ba, 0x2aa1b3, 0xd0cfcc, 0x5e5c64,
    0xf66151, 0x33d17a, 0xe9ad0c, 0x2a7bde, 0xc061cb, 0x33c7de, 0xffffff,
  ],
};

/**
 * Returns the palette for a theme. A theme is for dark terminals unless its name contains `light`.
 */
export function paletteOf(theme: string): Palette {
  return theme.includes('light') ? LIGHT : DARK;
}

/**
 * Red, green and blue values of the colour cube in the palette of 256 colours, as xterm defines
 * them.
 */
const CUBE = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff];
const FIRST_OF_CUBE = 16;
const FIRST_GREY = 232;

export function rgbOf(colour: CellColour, { ansi }: Palette): number {
  if ('rgb' in colour) return colour.rgb;
  const { index } = colour;
  if (index < FIRST_OF_CUBE) return ansi[index] ?? 0;
  if (index >= FIRST_GREY) return (8 + 10 * (index - FIRST_GREY)) * 0x010101;
  const place = index - FIRST_OF_CUBE;
  const [red = 0, green = 0, blue = 0] = [place / 36, place / 6, place].map(
    (level) => CUBE[Math.floor(level) % CUBE.length],
  );
  return red * 0x010000 + green * 0x0100 + blue;
}

/** Mixes two colours. `share` is the share of `colour`, from 0 to 1. */
export function mix(colour: number, other: number, share: number): number {
  const channel = (shift: number) => {
    const [from, to] = [(other >> shift) & 0xff, (colour >> shift) & 0xff];
    return Math.round(from + (to - from) * share) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

/** Returns the contrast of two colours, from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: number, other: number): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: number): number {
  const [red = 0, green = 0, blue = 0] = [16, 8, 0].map((shift) => {
    const value = ((colour >> shift) & 0xff) / 0xff;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
