/** Ink without two things that come with it: together they take a fourth of the time until the first picture. */

import { registerHooks } from 'node:module';

import { OWN_STRING_WIDTH } from '../text/string-width.ts';

/** Loads what imports Ink. */
export function withLighterInk<T>(load: () => Promise<T>): Promise<T> {
  return withoutFetch(() => withOwnWidths(load));
}

/**
 * Yoga, which Ink lays out with, fetches its bytes from its own text where there is `fetch`, and decodes them where there
 * is none. Node's is an HTTP client of 6 MB, loaded when it is first called.
 */
async function withoutFetch<T>(load: () => Promise<T>): Promise<T> {
  const fetch = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
  if (!fetch?.configurable) return load();
  Reflect.deleteProperty(globalThis, 'fetch');
  try {
    return await load();
  } finally {
    Object.defineProperty(globalThis, 'fetch', fetch);
  }
}

/** Ink measures every cell of a frame, by the rules for all of Unicode; ours have a short way for most. */
async function withOwnWidths<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier !== 'string-width') return nextResolve(specifier, context);
      return { url: OWN_STRING_WIDTH, format: 'module', shortCircuit: true };
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
