/**
 * Causes ninety mistakes and failures in the real program, and compares the complete output with
 * the tables in test/helpers/errors. A block begins with `# NUMBER WHAT`. `$ LINE` is a command,
 * and `& STEP` changes its environment. The lines below a command are its exit code and its
 * complete output, in which a line `…` matches any lines. `~ LINE` runs a command with a clock that
 * is a hundred times as fast, `% LINE` runs it in a separate process, and `@ OBJECT` requests an
 * expired presigned URL of an object.
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

/**
 * Returns `said` if `text` matches it, and otherwise `text`. A line `…` in `said` matches any
 * lines.
 */
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

it('the tables of error messages number their blocks from 1 to 90 without gaps', () => {
  const numbers = BLOCKS.map(({ title }) => Number(/^\d+/.exec(title)));
  expect(numbers).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
});

it.each(BLOCKS)(
  'the exit code and the output match the table of error messages: $title',
  async ({ steps }) => {
    for (const { mark, line, said } of steps) {
      const text = await world.provoke(mark, line);
      expect({ line, text: shortened(text, said) }).toEqual({ line, text: said });
    }
  },
);
