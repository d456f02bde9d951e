/** Ink without three things that come with it: together they take a third of the time until the first picture. */

import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

import { OWN_STRING_WIDTH } from '../text/string-width.ts';

/** Loads what imports Ink. */
export function withLighterInk<T>(load: () => Promise<T>): Promise<T> {
  return withoutFetch(() => withLessModules(load));
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

async function withLessModules<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      // Ink measures every cell of a frame, by the rules for all of Unicode; ours have a short way for most.
      if (specifier === 'string-width')
        return { url: OWN_STRING_WIDTH, format: 'module', shortCircuit: true };
      const found = nextResolve(specifier, context);
      return specifier === 'es-toolkit/compat' ? { ...found, url: throttleIn(found.url) } : found;
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}

/** All that Ink takes of the hundreds of modules of es-toolkit. A version that has it elsewhere is loaded as it is. */
export function throttleIn(url: string): string {
  const file = new URL('function/throttle.mjs', url);
  return existsSync(file) ? file.href : url;
}
