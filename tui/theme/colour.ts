/** Colour calculations: hexadecimal notation, the nearest of 256 colours, and contrast. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** Parses a colour such as `#rrggbb`. Returns undefined for any other text. */
export function parseHex(text: string): Rgb | undefined {
  const digits = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text);
  if (!digits) return undefined;
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((each) => Number.parseInt(each, 16));
  return [red, green, blue];
}

/**
 * The brightness levels in the 6×6×6 colour cube of 256-colour terminals. The cube's colour numbers start at 16, and
 * the greys start at 232.
 */
const CUBE = [0, 95, 135, 175, 215, 255];
const GREYS = Array.from({ length: 24 }, (_, step) => 8 + 10 * step);

/** Returns the RGB values of a 256-colour number from 16 to 255. Colours 0 to 15 depend on the terminal. */
export function indexedColour(index: number): Rgb {
  if (index >= 232) {
    const grey = GREYS[index - 232] ?? 0;
    return [grey, grey, grey];
  }
  const place = index - 16;
  const level = (divisor: number) => CUBE[Math.floor(place / divisor) % CUBE.length] ?? 0;
  return [level(36), level(6), level(1)];
}

/** Returns the 256-colour number that is nearest to the colour. */
export function nearestIndex(colour: Rgb): number {
  let [nearest, least] = [16, Infinity];
  for (let index = 16; index < 256; index += 1) {
    const candidate = indexedColour(index);
    const distance = candidate.reduce((sum, each, at) => sum + (each - (colour[at] ?? 0)) ** 2, 0);
    if (distance < least) [nearest, least] = [index, distance];
  }
  return nearest;
}

/** Returns the contrast ratio between two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns a colour's relative luminance, from 0 to 1 (WCAG 2.2). */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
