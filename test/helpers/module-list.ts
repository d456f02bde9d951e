/**
 * Preload script for `node --import`. When the process exits, the script writes the names of all
 * loaded modules, one per line, to the file in HOLDFAST_TEST_MODULES. Built-in modules are listed as in
 * `process.moduleLoadList`.
 */

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded: string[] = [];

registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});

process.on('exit', () => {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
  const file = process.env['HOLDFAST_TEST_MODULES'];
  if (file !== undefined) writeFileSync(file, [...loaded, ...moduleLoadList].join('\n'));
});
