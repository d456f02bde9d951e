import { describe, expect, it } from 'vitest';

import { Output, painter, tableLines, writeJsonError } from '../../../src/cli/output/output.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';

describe('colors in the output', () => {
  it.each([
    [
      'the command line uses colors on a terminal',
      new CapturedSink(80),
      {},
      '\u001b[31mno\u001b[39m',
    ],
    [
      'the command line uses no colors if the output is not a terminal',
      new CapturedSink(),
      {},
      'no',
    ],
    [
      'the command line uses no colors if NO_COLOR is set',
      new CapturedSink(80),
      { NO_COLOR: '1' },
      'no',
    ],
    [
      'the command line uses no colors if TERM is dumb',
      new CapturedSink(80),
      { TERM: 'dumb' },
      'no',
    ],
  ])('%s', (_, sink, env, text) => {
    expect(painter(sink, env)('bad', 'no')).toBe(text);
  });
});

describe('tables in the output', () => {
  it('the command line aligns the columns of a table and never pads the last column', () => {
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

describe('lists as JSON', () => {
  async function written(...pages: readonly (readonly unknown[])[]): Promise<unknown> {
    const sink = new CapturedSink();
    async function* given() {
      yield* pages;
    }
    const out = new Output(sink, {}, { isJson: true });
    await out.jsonList('items', given(), () => ({ rest: [1] }));
    await out.finish();
    return JSON.parse(sink.text);
  }

  it('the command line prints a list of many pages as one JSON document', async () => {
    expect(await written([1, 2], [], [{ a: '\n' }])).toEqual({
      result: { items: [1, 2, { a: '\n' }], rest: [1] },
    });
    expect(await written()).toEqual({ result: { items: [], rest: [1] } });
  });

  it('the command line prints no JSON document if the first page of a list fails', async () => {
    const sink = new CapturedSink();
    async function* failing(): AsyncGenerator<readonly unknown[]> {
      yield await Promise.reject(new Error('no such bucket'));
    }
    await expect(
      new Output(sink, {}, { isJson: true }).jsonList('items', failing()),
    ).rejects.toThrow('no such');
    expect(sink.text).toBe('');
  });

  it('the command line prints the error of a later page as a separate JSON document after the incomplete list', async () => {
    const sink = new CapturedSink();
    async function* failing(): AsyncGenerator<readonly unknown[]> {
      yield [1];
      throw new Error('the service is gone');
    }
    await expect(
      new Output(sink, {}, { isJson: true }).jsonList('items', failing()),
    ).rejects.toThrow('gone');
    await writeJsonError(sink, { code: 'Failed' });
    const lines = sink.text.split('\n');
    expect(lines).toEqual(['{"result":{"items":[1', '{"error":{"code":"Failed"}}', '']);
  });
});

describe('the JSON documents of a command with --json', () => {
  it('the command line prints each event at once and only the last result at the end', async () => {
    const sink = new CapturedSink();
    const out = new Output(sink, {}, { isJson: true });
    await out.json({ at: 0 });
    await out.jsonEvent({ path: 'a' });
    expect(sink.text).toBe('{"event":{"path":"a"}}\n');
    await out.finish();
    expect(sink.text).toBe(
      '{"event":{"path":"a"}}\n{"result":{"at":"1970-01-01T00:00:00.000Z"}}\n',
    );
  });

  it('with --json, the lines of a command that prints only text become the field `text` of the result', async () => {
    const sink = new CapturedSink();
    const out = new Output(sink, {}, { isJson: true });
    await out.lines('a', 'b');
    await out.finish();
    expect(sink.text).toBe('{"result":{"text":"a\\nb\\n"}}\n');
  });

  it('the command line indents the JSON result on a terminal', async () => {
    const sink = new CapturedSink(80);
    const out = new Output(sink, {}, { isJson: true });
    await out.json({ a: 1 });
    await out.finish();
    expect(sink.text).toBe('{\n  "result": {\n    "a": 1\n  }\n}\n');
  });
});
