/** Returns the media type of a file by its extension. */

import { lookup } from 'mrmime';

/**
 * Returns undefined for an unknown extension, including `constructor`, for which the package would return a function.
 */
export function mediaTypeOf(name: string): string | undefined {
  const found: unknown = lookup(name);
  return typeof found === 'string' ? found : undefined;
}
