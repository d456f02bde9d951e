/** Replaces the package `string-width`, which Ink uses. The build substitutes this module. */

export { stringWidth as default } from './width.ts';
