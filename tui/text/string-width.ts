/** In the place of the package of that name, for Ink, which measures with it. */

export { stringWidth as default } from './width.ts';

export const OWN_STRING_WIDTH = import.meta.url;
