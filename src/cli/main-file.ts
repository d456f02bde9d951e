/** Defines the path of the program's entry point. Users and services run it. */

import { extname, join } from 'node:path';

/** The absolute path of the entry point. It is in the directory of this file, both in the sources and in the build. */
export const MAIN_FILE = join(import.meta.dirname, `main${extname(import.meta.url)}`);
