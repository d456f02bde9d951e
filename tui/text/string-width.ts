/** The build replaces the package `string-width`, with which Ink measures, by this module. */

export { stringWidth as default } from './width.ts';
