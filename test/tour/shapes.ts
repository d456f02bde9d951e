/**
 * Draws line, block and braille characters as SVG shapes. As text they would depend on the font,
 * and most fonts leave gaps between rows.
 */

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LINE_WIDTH = 1.2;

/** Directions in which the lines of a character extend from its centre. */
const LINES: Readonly<Record<string, string>> = {
  '─': 'lr',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'ld',
  '└': 'ru',
  '┘': 'lu',
  '├': 'rud',
  '┤': 'lud',
  '┬': 'lrd',
  '┴': 'lru',
  '┼': 'lrud',
  '╴': 'l',
  '╵': 'u',
  '╶': 'r',
  '╷': 'd',
};

/** Rounded corners: signs of the horizontal and the vertical direction. */
const CORNERS: Readonly<Record<string, readonly [number, number]>> = {
  '╭': [1, 1],
  '╮': [-1, 1],
  '╰': [1, -1],
  '╯': [-1, -1],
};

const SHADES: Readonly<Record<string, number>> = { '░': 0.25, '▒': 0.5, '▓': 0.75 };

/**
 * Returns the shape of a character in a cell. Returns undefined if the character must be drawn as
 * text.
 */
export function shapeOf(text: string, cell: Box, colour: string): string | undefined {
  const lines = LINES[text];
  if (lines !== undefined) return path(linesPath(lines, cell), colour);
  const corner = CORNERS[text];
  if (corner) return path(cornerPath(corner, cell), colour);
  const shade = SHADES[text];
  if (shade !== undefined) return rect(cell, colour, shade);
  const block = blockOf(text.codePointAt(0) ?? 0, cell);
  if (block) return rect(block, colour);
  return brailleOf(text.codePointAt(0) ?? 0, cell, colour);
}

export function rect({ x, y, width, height }: Box, colour: string, opacity = 1): string {
  const size = `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
  return `<rect ${size} fill="${colour}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`;
}

function path(drawn: string, colour: string): string {
  return `<path d="${drawn}" stroke="${colour}" fill="none" stroke-width="${LINE_WIDTH}"/>`;
}

function linesPath(directions: string, { x, y, width, height }: Box): string {
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const ends: Readonly<Record<string, string>> = {
    l: `H${short(x)}`,
    r: `H${short(x + width)}`,
    u: `V${short(y)}`,
    d: `V${short(y + height)}`,
  };
  return Array.from(directions)
    .map((each) => `M${short(middleX)} ${short(middleY)}${ends[each]}`)
    .join('');
}

function cornerPath([right, down]: readonly [number, number], cell: Box): string {
  const [middleX, middleY] = [cell.x + cell.width / 2, cell.y + cell.height / 2];
  const radius = cell.width / 2;
  const start = `M${short(middleX + right * radius)} ${short(middleY)}`;
  const curve = `Q${short(middleX)} ${short(middleY)} ${short(middleX)} ${short(middleY + down * radius)}`;
  return `${start}${curve}V${short(middleY + (down * cell.height) / 2)}`;
}

/**
 * Returns the rectangle of a block element (U+2580 to U+258F and U+2590), which fills halves or
 * eighths of a cell from the bottom or from the left.
 */
function blockOf(code: number, { x, y, width, height }: Box): Box | undefined {
  if (code === 0x2580) return { x, y, width, height: height / 2 };
  if (code > 0x2580 && code <= 0x2588) {
    const part = ((code - 0x2580) / 8) * height;
    return { x, y: y + height - part, width, height: part };
  }
  if (code > 0x2588 && code <= 0x258f)
    return { x, y, width: ((0x2590 - code) / 8) * width, height };
  if (code === 0x2590) return { x: x + width / 2, y, width: width / 2, height };
  return undefined;
}

/** Positions of the eight braille dots in the order of their bits. */
const DOTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;
const BRAILLE = 0x2800;

function brailleOf(code: number, { x, y, width, height }: Box, colour: string): string | undefined {
  if (code < BRAILLE || code > BRAILLE + 0xff) return undefined;
  const dots = DOTS.filter((_, bit) => (code - BRAILLE) & (1 << bit)).map(([column, row]) => {
    const [left, top] = [x + ((column + 0.5) * width) / 2, y + ((row + 0.5) * height) / 4];
    return `<circle cx="${short(left)}" cy="${short(top)}" r="1.3" fill="${colour}"/>`;
  });
  return dots.join('');
}

export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
