/**
 * Ninety mistakes and failures, provoked on the real program, each with the whole text that it ends in. A block of the
 * tables begins with `# NUMBER WHAT`; `$ LINE` is a command, `& STEP` something done to its world, and the lines below
 * are the exit code and all that is written, where a line `…` stands for any lines. `~ LINE` is a command whose clock runs
 * a hundred times as fast, `% LINE` one in a process of its own, and `@ OBJECT` opens a link to it that has expired.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';

import { DAEMON } from '../helpers/errors/daemon.ts';
import { JOBS } from '../helpers/errors/jobs.ts';
import { OBJECTS } from '../helpers/errors/objects.ts';
import { RESTORES } from '../helpers/errors/restores.ts';
import { SERVICES } from '../helpers/errors/services.ts';
import { World } from '../helpers/errors/world.ts';

interface Step {
  readonly mark: string;
  readonly line: string;
  /** Exit code and text. */
  readonly said: string;
}

const BLOCKS = [DAEMON, RESTORES, SERVICES, JOBS, OBJECTS].flatMap((table) =>
  table
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [title = '', ...lines] = block.trimEnd().split('\n');
      return { title, steps: stepsOf(lines) };
    }),
);

function stepsOf(lines: readonly string[]): Step[] {
  const starts = lines.flatMap((line, index) => (/^[$~%&@] /.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const [first = '', ...said] = lines.slice(start, starts[index + 1]);
    return { mark: first.charAt(0), line: first.slice(2), said: said.join('\n') };
  });
}

/** With `…` for the lines that the table leaves out. */
function shortened(text: string, said: string): string {
  const pieces = said.split(/(?:(?<=^\d )|\n)…(?:\n|$)/);
  const [start = ''] = pieces;
  const isMatch =
    pieces.length > 1 && text.startsWith(start) && pieces.every((piece) => text.includes(piece));
  return isMatch ? said : text;
}

const world = new World();

beforeAll(() => world.open());
afterAll(() => world.close());

it('the tables have each number from 1 to 90 once', () => {
  const numbers = BLOCKS.map(({ title }) => Number(/^\d+/.exec(title)));
  expect(numbers).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
});

it.each(BLOCKS)('$title: exit code and text are those of the table', async ({ steps }) => {
  for (const { mark, line, said } of steps) {
    const text = await world.provoke(mark, line);
    expect({ line, text: shortened(text, said) }).toEqual({ line, text: said });
  }
});
