/** The build replaces the package `string-width`, which Ink uses, with this module. */

export { stringWidth as default } from './width.ts';
