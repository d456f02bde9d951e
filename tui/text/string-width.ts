/** In the place of the package of that name, for Ink, which measures with it. */

import { extname } from 'node:path';

export { stringWidth as default } from './width.ts';

const file = `./string-width${extname(import.meta.url)}`;
/** Of this file, by its name: what it exports may be built into another. */
export const OWN_STRING_WIDTH = new URL(file, import.meta.url).href;
