import { describe, expect, it } from 'vitest';

import { onAbort } from '../../../src/base/on-abort.ts';

describe('who waits for the abort of a signal', () => {
  it('is told of it once, all that wait', () => {
    const { signal, abort } = aborting();
    const told: string[] = [];
    onAbort(signal, () => told.push('a'));
    onAbort(signal, () => told.push('b'));
    abort();
    abort();
    expect(told).toEqual(['a', 'b']);
  });

  it('is not told when it waits no more, also when another that is told says so', () => {
    const { signal, abort } = aborting();
    const told: string[] = [];
    onAbort(signal, () => told.push('a'))();
    onAbort(signal, () => forget());
    const forget = onAbort(signal, () => told.push('b'));
    abort();
    expect(told).toEqual([]);
  });

  it('costs the signal one listener for all', () => {
    const { signal } = aborting();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    for (let index = 0; index < 100; index += 1) onAbort(signal, () => undefined)();
    expect(listeners).toBe(1);
  });
});

function aborting() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
