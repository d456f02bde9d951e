/**
 * Measures text in place of the package `string-width`, which Ink imports. The build makes the
 * replacement.
 */

export { stringWidth as default } from './width.ts';
