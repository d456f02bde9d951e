/** Finds the bundles that built-threads.ts creates before the tests. */

import { join } from 'node:path';

/** Environment variable with the path of the folder that contains the bundles. */
export const BUILT_FOLDER = 'HOLDFAST_TEST_THREADS';

/** Returns the path of a bundled program. `name` is the file name of its source without `.ts`. */
export function builtProgram(name: string): string {
  return join(process.env[BUILT_FOLDER] ?? '', `${name}.js`);
}
