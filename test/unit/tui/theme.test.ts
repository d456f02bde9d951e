/**
 * Tests of the skins: their colors in each color depth, and tones (color roles) within other tones.
 */

import { stripVTControlCharacters } from 'node:util';

import { describe, expect, test } from 'vitest';

import { contrast, indexedColour, parseHex } from '../../../tui/theme/colour.ts';
import { lookOf, makeLook } from '../../../tui/theme/look.ts';
import { SHIPPED_SKINS } from '../../../tui/theme/skins.ts';
import type { ShippedName, Skin } from '../../../tui/theme/skins.ts';
import { indexOf, rgbOf } from '../../../tui/theme/styles.ts';
import { backgroundOf, depthOf } from '../../../tui/theme/terminal.ts';
import {
  lockTone,
  meaningOf,
  PAIRS,
  SHAPE_COLOURS,
  TEXT_COLOURS,
  thresholdTone,
  TONES,
} from '../../../tui/theme/tones.ts';
import type { ColourName, Tone } from '../../../tui/theme/tones.ts';

const SKINS = Object.keys(SHIPPED_SKINS) as ShippedName[];
const DEPTHS = ['truecolour', '256'] as const;
const MODES = SKINS.flatMap((skin) => DEPTHS.map((depth) => [skin, depth] as const));

describe.each(MODES)('contrast of the skin %s with %s colors', (name, depth) => {
  const skin: Skin = SHIPPED_SKINS[name];
  const colour = (each: ColourName) =>
    depth === '256' ? indexedColour(indexOf(skin, each)) : rgbOf(skin, each);
  const behind = parseHex(skin.background)!;
  const isSubdued = (each: ColourName) =>
    Object.keys(TONES).some((tone) => {
      const { colour: of, isSubdued: subdued } = meaningOf(tone as Tone);
      return of === each && subdued;
    });

  test.each(TEXT_COLOURS)(
    'the dashboard gives the text color %s a contrast of at least 4.5 to its background',
    (each) => {
      expect(contrast(colour(each), behind)).toBeGreaterThanOrEqual(4.5);
      // In a selected row, subdued text has the color of the row's text.
      if (isSubdued(each)) return;
      expect(contrast(colour(each), colour('selection'))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(PAIRS)('the dashboard gives %s a contrast of at least 4.5 to %s', (text, on) => {
    expect(contrast(colour(text), colour(on))).toBeGreaterThanOrEqual(4.5);
  });

  test.each([...SHAPE_COLOURS, 'selection', 'tab'] as const)(
    'the dashboard draws the shape %s in a color that differs from the background',
    (each) => {
      expect(contrast(colour(each), behind)).toBeGreaterThan(1.2);
    },
  );
});

test('the dashboard gives all text in the high-contrast skin a contrast of at least 7 to its background', () => {
  const { background, colours } = SHIPPED_SKINS['high-contrast'];
  for (const each of TEXT_COLOURS) {
    expect([each, contrast(parseHex(colours[each])!, parseHex(background)!) >= 7]).toEqual([
      each,
      true,
    ]);
  }
});

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
])('the dashboard computes the contrast of %s and %s: %d', (a, b, ratio) => {
  expect(contrast(parseHex(a)!, parseHex(b)!)).toBeCloseTo(ratio, 1);
});

test.each([
  ['dark', 'truecolour', 'bad', '\u{1b}[38;2;255;138;143mx\u{1b}[39m'],
  ['dark', '256', 'bad', '\u{1b}[38;5;210mx\u{1b}[39m'],
  ['dark', '16', 'bad', '\u{1b}[91mx\u{1b}[39m'],
  ['dark', 'mono', 'bad', '\u{1b}[1mx\u{1b}[22m'],
  ['light', '16', 'bad', '\u{1b}[31mx\u{1b}[39m'],
  ['dark', '256', 'folder', '\u{1b}[1;38;5;111mx\u{1b}[22;39m'],
  ['dark', '16', 'tab', '\u{1b}[1;30;46mx\u{1b}[22;39;49m'],
  ['dark', 'truecolour', 'plain', 'x'],
  ['dark', 'truecolour', 'cursor', '\u{1b}[7mx\u{1b}[27m'],
  ['mono', 'truecolour', 'good', 'x'],
  ['mono', 'truecolour', 'dim', '\u{1b}[2mx\u{1b}[22m'],
] as const)(
  'in the theme %s with %s colors, the dashboard writes the tone %s as %j',
  (theme, depth, tone, written) => {
    expect(makeLook(theme, 'unicode', depth).paint(tone, 'x')).toBe(written);
  },
);

test('the dashboard gives every tone a style in each theme and changes no character', () => {
  for (const theme of [...SKINS, 'mono'] as const) {
    for (const depth of ['truecolour', '256', '16'] as const) {
      const look = makeLook(theme, 'unicode', depth);
      for (const tone of Object.keys(TONES) as Tone[]) {
        expect(stripVTControlCharacters(look.paint(tone, 'x'))).toBe('x');
      }
    }
  }
});

describe('the selected row of a list', () => {
  const row = (look: ReturnType<typeof makeLook>) =>
    look.select(`a ${look.paint('bad', 'b')} ${look.paint('dim', 'c')} d`);

  test.each(['truecolour', '256'] as const)(
    'the dashboard keeps the background of a selected row and the tones of its cells with %s colors',
    (depth) => {
      const look = makeLook('dark', 'unicode', depth);
      const [open = '', close = ''] = look.paint('selected', 'x').split('x');
      const bad = look.paint('bad', 'b');
      // In a selected row, subdued text has the color of the row's text.
      expect(row(look)).toBe(`${open}a ${bad}${open} c\u{1b}[39m${open} d${close}`);
    },
  );

  test('the dashboard draws a selected row in bold with 16 colors and keeps the tones of its cells', () => {
    const look = makeLook('dark', 'unicode', '16');
    expect(row(look)).toBe(
      '\u{1b}[1ma \u{1b}[91mb\u{1b}[39m\u{1b}[1m c\u{1b}[22m\u{1b}[1m d\u{1b}[22m',
    );
  });

  test('the dashboard draws a selected row inverse without colors and ignores the tones of its cells', () => {
    expect(row(makeLook('mono'))).toBe('\u{1b}[7ma b c d\u{1b}[27m');
  });

  test.each([
    ['truecolour', 'unicode', '▌'],
    ['16', 'unicode', '▌'],
    ['mono', 'unicode', '❯'],
    ['truecolour', 'ascii', '>'],
    ['mono', 'ascii', '>'],
  ] as const)(
    'with %s colors and %s characters, the dashboard points to the selected row with: %s',
    (depth, charset, pointer) => {
      const look = lookOf({ skin: SHIPPED_SKINS.dark, depth, charset });
      expect(stripVTControlCharacters(look.pointer)).toBe(pointer);
    },
  );
});

test('the dashboard restores a tone after another tone within it', () => {
  const look = makeLook('dark', 'unicode', '16');
  const inner = look.paint('marked', `b${look.paint('bad', 'c')}d`);
  expect(look.paint('accent', `a${inner}e`)).toBe(
    '\u{1b}[36ma\u{1b}[1;33mb\u{1b}[91mc\u{1b}[39m\u{1b}[36m\u{1b}[1;33md\u{1b}[22;39m\u{1b}[36me\u{1b}[39m',
  );
});

test.each([
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'truecolour'],
  [{ TERM: 'xterm-direct' }, 'truecolour'],
  [{ TERM: 'xterm-256color' }, '256'],
  [{ TERM: 'xterm', COLORTERM: 'gnome-terminal' }, '256'],
  [{ TERM: 'xterm' }, '16'],
  [{ TERM: 'linux', COLORTERM: 'truecolor' }, '16'],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'mono'],
  [{ TERM: 'xterm-256color', NO_COLOR: '' }, '256'],
  [{ TERM: 'vt220' }, 'mono'],
])('the dashboard detects the color depth from the environment %j: %s', (env, depth) => {
  expect(depthOf(env)).toBe(depth);
});

test.each([
  [{ COLORFGBG: '0;15' }, 'light'],
  [{ COLORFGBG: '0;default;7' }, 'light'],
  [{ COLORFGBG: '15;0' }, 'dark'],
  [{}, 'dark'],
])('the dashboard detects the background from the environment %j: %s', (env, background) => {
  expect(backgroundOf(env)).toBe(background);
});

test.each([
  [0.5, 'good'],
  [0.75, 'attention'],
  [0.9, 'bad'],
] as const)(
  'the dashboard shows a share of %d as %s between the thresholds 0.75 and 0.9',
  (share, tone) => {
    expect(thresholdTone(share, { attention: 0.75, bad: 0.9 })).toBe(tone);
  },
);

test.each([
  ['COMPLIANCE', 'compliance'],
  ['GOVERNANCE', 'governance'],
  [undefined, undefined],
])('the dashboard shows a lock with the mode %s in the tone %s', (mode, tone) => {
  expect(lockTone(mode)).toBe(tone);
});
