import { describe, expect, it } from 'vitest';

import { Output, painter, tableLines } from '../../../src/cli/output/output.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';

describe('colours', () => {
  it.each([
    ['on a terminal are used', new CapturedSink(80), {}, '\u001b[31mno\u001b[39m'],
    ['elsewhere are not', new CapturedSink(), {}, 'no'],
    ['with NO_COLOR are not', new CapturedSink(80), { NO_COLOR: '1' }, 'no'],
    ['on a dumb terminal are not', new CapturedSink(80), { TERM: 'dumb' }, 'no'],
  ])('the use of colours depends on the terminal and the environment: %s', (_, sink, env, text) => {
    expect(painter(sink, env)('bad', 'no')).toBe(text);
  });
});

describe('a table', () => {
  it('a table aligns its columns and never pads the last one', () => {
    const columns = [{ title: 'JOB' }, { title: 'SIZE', align: 'right' as const }, { title: 'AT' }];
    const rows = [
      ['photos', '1 kB', '/a'],
      ['é', '10 kB', '/b c'],
    ];
    expect(tableLines(columns, rows)).toEqual([
      'JOB      SIZE  AT',
      'photos   1 kB  /a',
      'é       10 kB  /b c',
    ]);
  });
});

describe('a list as JSON', () => {
  async function written(...pages: readonly (readonly unknown[])[]): Promise<unknown> {
    const sink = new CapturedSink();
    async function* given() {
      yield* pages;
    }
    await new Output(sink, {}).jsonList('items', given(), () => ({ rest: [1] }));
    return JSON.parse(sink.text);
  }

  it('a JSON list of many pages is one document', async () => {
    expect(await written([1, 2], [], [{ a: '\n' }])).toEqual({
      items: [1, 2, { a: '\n' }],
      rest: [1],
    });
    expect(await written()).toEqual({ items: [], rest: [1] });
  });

  it('a JSON list prints nothing if its first page fails', async () => {
    const sink = new CapturedSink();
    async function* failing(): AsyncGenerator<readonly unknown[]> {
      yield await Promise.reject(new Error('no such bucket'));
    }
    await expect(new Output(sink, {}).jsonList('items', failing())).rejects.toThrow('no such');
    expect(sink.text).toBe('');
  });
});
