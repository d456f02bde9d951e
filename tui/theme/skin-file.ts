/**
 * Parses skins (colour themes) that users write in JSON. A skin inherits every colour that it does not define from a
 * shipped skin.
 */

import { contrast, parseHex } from './colour.ts';
import { SHIPPED_SKINS } from './skins.ts';
import type { Hex, ShippedName, Skin } from './skins.ts';
import { rgbOf } from './styles.ts';
import { COLOUR_NAMES, TEXT_COLOURS } from './tones.ts';
import type { ColourName } from './tones.ts';

const FIELDS = ['inherits', 'background', ...COLOUR_NAMES];
const BASES = Object.keys(SHIPPED_SKINS) as ShippedName[];

/** Parses the content of a skin file. If a field is invalid, throws an error that names the field. */
export function parseSkin(text: string): Skin {
  const fields = parseObject(text);
  const { inherits = 'dark', background, ...own } = fields;
  const base = BASES.find((name) => name === inherits);
  if (base === undefined) throw new Error(`inherits: write ${BASES.join(', ')}`);
  const shipped: Skin = SHIPPED_SKINS[base];
  const colours: Partial<Record<ColourName, Hex>> = {};
  for (const [name, value] of Object.entries(own)) {
    if (!isColourName(name)) throw new Error(`${name}: unknown field; see ${FIELDS.join(', ')}`);
    colours[name] = hexOf(name, value);
  }
  const isOwn = (name: string) => Object.hasOwn(colours, name);
  const indexed = Object.entries(shipped.indexed ?? {}).filter(([name]) => !isOwn(name));
  return {
    background: background === undefined ? shipped.background : hexOf('background', background),
    colours: { ...shipped.colours, ...colours },
    indexed: Object.fromEntries(indexed),
    sixteen: shipped.sixteen,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`invalid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('must be a JSON object that maps fields to colours');
  }
  return { ...value };
}

function isColourName(name: string): name is ColourName {
  return (COLOUR_NAMES as readonly string[]).includes(name);
}

function hexOf(field: string, value: unknown): Hex {
  if (typeof value === 'string' && parseHex(value)) return value as Hex;
  throw new Error(`${field}: ${JSON.stringify(value)} is not a colour; write #rrggbb`);
}

/** The minimum contrast for small text (WCAG 2.2). */
const LEAST_CONTRAST = 4.5;

/** Returns the names of the text colours that are hard to read on the skin's background. */
export function faintColours(skin: Skin): readonly ColourName[] {
  const background = parseHex(skin.background) ?? [0, 0, 0];
  return TEXT_COLOURS.filter((name) => contrast(rgbOf(skin, name), background) < LEAST_CONTRAST);
}
