/** The path of the program's first file, which users and services run. */

import { extname, join } from 'node:path';

/** Lies beside this file, in the sources and in the build. */
export const MAIN_FILE = join(import.meta.dirname, `main${extname(import.meta.url)}`);
