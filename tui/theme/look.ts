/**
 * Draws text in the current theme: colours by meaning, symbols, and escaped names. Screens and widgets depend only on
 * this interface.
 */

import { stripVTControlCharacters } from 'node:util';

import { asciiName, displayName } from '../text/display-name.ts';
import { cutEnd, cutMiddle, fit } from '../text/width.ts';
import type { Fit } from '../text/width.ts';
import { ASCII, UNICODE } from './glyphs.ts';
import type { Glyphs } from './glyphs.ts';
import { SHIPPED_SKINS } from './skins.ts';
import type { ShippedName, Skin } from './skins.ts';
import { styled, stylesOf } from './styles.ts';
import type { ColourDepth } from './styles.ts';
import { meaningOf, TONES } from './tones.ts';
import type { Tone } from './tones.ts';

export type { Tone } from './tones.ts';

/** The names of the themes that Holdfast ships. */
export type ThemeName = ShippedName | 'mono';

export const THEMES: readonly ThemeName[] = ['dark', 'light', 'high-contrast', 'mono'];

export interface Look {
  readonly depth: ColourDepth;
  readonly glyphs: Glyphs;
  /** The symbol before a selected row, one cell wide. It is drawn as part of the row. */
  readonly pointer: string;
  /**
   * Returns the text in the colour of the tone. If parts of the text have other tones, this tone is restored after each
   * of them.
   */
  paint(tone: Tone, text: string): string;
  /**
   * Highlights a row as selected. Its parts keep their tones except subdued ones; on a terminal without colours, they
   * lose all tones.
   */
  select(row: string): string;
  /** Returns a name from outside the program, such as an object key, escaped for drawing. */
  name(text: string): string;
  /** Truncates or pads a safe text to exactly `width` cells. A name is truncated in its middle. */
  fit(text: string, width: number, how?: Omit<Fit, 'ellipsis'>): string;
  cut(text: string, width: number, how?: 'end' | 'middle'): string;
}

export interface LookOptions {
  /** The current skin. Undefined on a terminal without colours. */
  readonly skin?: Skin | undefined;
  readonly depth: ColourDepth;
  readonly charset: 'unicode' | 'ascii';
}

/** Creates the look for a shipped theme. */
export function makeLook(
  theme: ThemeName,
  charset: LookOptions['charset'] = 'unicode',
  depth: ColourDepth = 'truecolour',
): Look {
  return lookOf({ skin: theme === 'mono' ? undefined : SHIPPED_SKINS[theme], charset, depth });
}

export function lookOf({ skin, depth, charset }: LookOptions): Look {
  const hasColours = skin !== undefined && depth !== 'mono';
  const styles = stylesOf(skin, depth);
  const glyphs = charset === 'ascii' ? ASCII : UNICODE;
  const { ellipsis } = glyphs;
  const paint = (tone: Tone, text: string) => styled(styles[tone], text);
  const subdued = SUBDUED.map((tone) => styles[tone].open).filter((open) => open !== '');
  return {
    depth: hasColours ? depth : 'mono',
    glyphs,
    pointer: hasColours ? paint('accent', glyphs.selected) : glyphs.pointer,
    paint,
    select: (row) => {
      if (!hasColours) return paint('selected', stripVTControlCharacters(row));
      const text = subdued.reduce((left, open) => left.replaceAll(open, ''), row);
      return paint('selected', text);
    },
    name: charset === 'ascii' ? asciiName : displayName,
    fit: (text, width, how) => fit(text, width, { ...how, ellipsis }),
    cut: (text, width, how = 'end') =>
      (how === 'middle' ? cutMiddle : cutEnd)(text, width, ellipsis),
  };
}

const SUBDUED = (Object.keys(TONES) as Tone[]).filter((tone) => meaningOf(tone).isSubdued);
