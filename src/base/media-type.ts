/** Returns the media type of a file by its extension. */

import { lookup } from 'mrmime';

/**
 * Extensions of source files for which the package returns the type of an unrelated and rarer format: TypeScript (a
 * video), Rust, CUDA and Perl tests, Autoconf, and Graphviz. They have no type, like most source files. A name does not
 * show whether a `.ts` file is a video.
 */
const SOURCE = /\.(?:ac|cu|dot|mts|rs|t|ts)$/i;

/**
 * Returns undefined for an unknown extension, including `constructor`, for which the package would return a function.
 */
export function mediaTypeOf(name: string): string | undefined {
  return SOURCE.test(name) ? undefined : listedType(name);
}

/**
 * Returns whether this release of Holdfast or an earlier one derives this type from the name. Such a type does not mean
 * that a user or another client chose it.
 */
export function isDerivedType(type: string | undefined, name: string): boolean {
  return type === mediaTypeOf(name) || type === listedType(name);
}

function listedType(name: string): string | undefined {
  const found: unknown = lookup(name);
  return typeof found === 'string' ? found : undefined;
}
