/**
 * Two packages bring hundreds of files for one function or none: Ink all of es-toolkit for its `throttle`, zod its
 * messages in fifty languages. Those are half of all that the dashboard would load, and 12 MB.
 */

import { registerHooks } from 'node:module';

// As in compiled-code.ts.
const { existsSync } = process.getBuiltinModule('node:fs');

/** What is asked for, in which package, and the file beside what is found that is enough. */
const ENOUGH = [
  { asked: 'es-toolkit/compat', within: '/es-toolkit/', file: 'function/throttle.mjs' },
  { asked: '../locales/index.js', within: '/zod/', file: 'en.js' },
] as const;

/** For modules that are imported from now on. */
export function loadLighter(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      return { ...found, url: lighter(specifier, found.url) };
    },
  });
}

/** What is enough of a module that was found. A version that has its files elsewhere is loaded as it is. */
export function lighter(specifier: string, url: string): string {
  const enough = ENOUGH.find(({ asked, within }) => asked === specifier && url.includes(within));
  if (!enough) return url;
  const file = new URL(enough.file, url);
  return existsSync(file) ? file.href : url;
}
