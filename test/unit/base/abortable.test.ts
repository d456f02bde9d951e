import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { abortable, unlessAborted } from '../../../src/base/abortable.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { execution: 'async' }) => Promise<void>;

const never = new AbortController().signal;

async function* hanging(onReturn: () => void): AsyncGenerator<number> {
  try {
    yield 1;
    await new Promise(() => undefined);
  } finally {
    onReturn();
  }
}

test('an abortable stream passes on all chunks if it is not aborted', async () => {
  const source = async function* () {
    yield* [1, 2, 3];
  };
  const seen: number[] = [];
  for await (const each of abortable(source(), never)) seen.push(each);
  expect(seen).toEqual([1, 2, 3]);
});

test('an abortable stream whose source hangs ends with the reason of the abort', async () => {
  const controller = new AbortController();
  const stream = abortable(
    hanging(() => undefined),
    controller.signal,
  )[Symbol.asyncIterator]();
  expect(await stream.next()).toEqual({ done: false, value: 1 });
  const waiting = stream.next();
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('an abortable stream that is aborted between two chunks yields no second chunk', async () => {
  const controller = new AbortController();
  const source = async function* () {
    yield* [1, 2];
  };
  const stream = abortable(source(), controller.signal)[Symbol.asyncIterator]();
  await stream.next();
  controller.abort(new Error('enough'));
  await expect(stream.next()).rejects.toThrow('enough');
});

test('an abortable stream closes its source if the reader leaves early', async () => {
  let returned = false;
  const source = hanging(() => {
    returned = true;
  });
  for await (const _ of abortable(source, never)) break;
  expect(returned).toBe(true);
});

test('an abortable stream keeps no chunks in memory that it passed on', async () => {
  const chunks: WeakRef<Uint8Array>[] = [];
  const source = async function* () {
    for (let index = 0; index < 100; index += 1) {
      const chunk = new Uint8Array(1024);
      chunks.push(new WeakRef(chunk));
      yield chunk;
    }
  };
  const stream = abortable(source(), never)[Symbol.asyncIterator]();
  for (let index = 0; index < 100; index += 1) await stream.next();
  await collectGarbage({ execution: 'async' });
  expect(chunks.filter((chunk) => chunk.deref() !== undefined).length).toBeLessThan(5);
  await stream.return?.();
});

test('waiting for work that hangs ends at once if the signal was aborted before', async () => {
  const hangs = new Promise<never>(() => undefined);
  const aborted = AbortSignal.abort(new Error('enough'));
  await expect(unlessAborted(hangs, aborted)).rejects.toThrow('enough');
});
