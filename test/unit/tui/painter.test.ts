/** Tests that the terminal shows each frame, although only changed cells are written. */

import xterm from '@xterm/headless';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cellsOf } from '../../helpers/tui/cells.ts';
import { Painter } from '../../../tui/terminal/painter.ts';
import type { Picture } from '../../../tui/terminal/painter.ts';
import { makeLook } from '../../../tui/theme/look.ts';

const SIZE = { columns: 24, rows: 6 } as const;
const look = makeLook('dark');

class Emulator {
  readonly painter = new Painter();
  readonly #terminal = new xterm.Terminal({
    cols: SIZE.columns,
    rows: SIZE.rows,
    allowProposedApi: true,
  });

  constructor() {
    // The dashboard turns wrapping off.
    this.#terminal.write('\u{1b}[?7l');
  }

  async show(picture: Picture): Promise<string> {
    const text = this.painter.paint(picture, SIZE);
    await new Promise<void>((resolve) => this.#terminal.write(text, resolve));
    return text;
  }

  /** Returns the cells. The colour of a blank without a background is invisible. */
  cells() {
    return cellsOf(this.#terminal).map((row) =>
      row.map((cell) => (cell.text === ' ' && !cell.background && !cell.isInverse ? ' ' : cell)),
    );
  }
}

const words = fc.constantFrom('photos', '  ', ' ', '62 %', '─│█', '日本', 'é', '👩‍👩‍👧', 'x');
const tones = fc.constantFrom('good', 'bad', 'dim', 'key', 'selected', 'tab', 'cursor', undefined);
const part = fc.record({ word: words, tone: tones });
const line = fc
  .array(part, { maxLength: 8 })
  .map((parts) => parts.map(({ word, tone }) => (tone ? look.paint(tone, word) : word)).join(''));
const selected = line.map((text) => look.select(text));
const lines = fc.array(fc.oneof(line, selected), { maxLength: SIZE.rows });
const box = fc.record({
  left: fc.nat(12),
  top: fc.nat(4),
  lines: fc.array(
    line.map((text) => `│${text}│`),
    { maxLength: 3 },
  ),
});
const picture: fc.Arbitrary<Picture> = fc.oneof(
  lines.map((each) => ({ lines: each })),
  fc.record({ lines, box }),
);

test('after any sequence of frames, the terminal shows the same as after the last frame alone', async () => {
  const property = fc.asyncProperty(
    fc.array(picture, { minLength: 2, maxLength: 5 }),
    async (pictures) => {
      const [used, fresh] = [new Emulator(), new Emulator()];
      for (const each of pictures) await used.show(each);
      await fresh.show(pictures.at(-1) ?? { lines: [] });
      expect(used.cells()).toEqual(fresh.cells());
    },
  );
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
});

test('for an unchanged frame, nothing is written to the terminal', async () => {
  const emulator = new Emulator();
  const lines = [look.paint('good', 'photos'), 'watching'];
  await emulator.show({ lines });
  expect(await emulator.show({ lines: [...lines] })).toBe('');
});

test('for one changed digit, only the digit, its position and its colour are written', async () => {
  const emulator = new Emulator();
  const frame = (percent: number) => [`photos ${look.paint('good', `${percent} %`)} of 9 MB`];
  await emulator.show({ lines: frame(61) });
  const written = await emulator.show({ lines: frame(62) });
  expect(written).toContain('\u{1b}[1;9H');
  expect(written.length).toBeLessThan(60);
});

test('after the painter has forgotten the terminal, the same frame is written again', async () => {
  const emulator = new Emulator();
  const first = await emulator.show({ lines: ['photos'] });
  emulator.painter.forget();
  expect(await emulator.show({ lines: ['photos'] })).toBe(first);
});
