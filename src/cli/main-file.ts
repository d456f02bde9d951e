/** The file that people and services run. */

import { extname, join } from 'node:path';

/** It lies beside this one, in the sources and where they are built. */
export const MAIN_FILE = join(import.meta.dirname, `main${extname(import.meta.url)}`);
