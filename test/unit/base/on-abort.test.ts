import { describe, expect, it } from 'vitest';

import { onAbort } from '../../../src/base/on-abort.ts';

describe('listeners of an abort signal', () => {
  it('an abort signal calls every listener once', () => {
    const { signal, abort } = aborting();
    const returned: string[] = [];
    onAbort(signal, () => returned.push('a'));
    onAbort(signal, () => returned.push('b'));
    abort();
    abort();
    expect(returned).toEqual(['a', 'b']);
  });

  it('an abort signal does not call a removed listener, even if another listener removes it', () => {
    const { signal, abort } = aborting();
    const returned: string[] = [];
    onAbort(signal, () => returned.push('a'))();
    onAbort(signal, () => forget());
    const forget = onAbort(signal, () => returned.push('b'));
    abort();
    expect(returned).toEqual([]);
  });

  it('a hundred abort listeners register only one listener on the signal', () => {
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
