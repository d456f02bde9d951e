/** Media types of files, by file extension. */

import { lookup } from 'mrmime';

/** Returns undefined for an unknown extension, including `constructor`, for which the package returns a function. */
export function mediaTypeOf(name: string): string | undefined {
  const found: unknown = lookup(name);
  return typeof found === 'string' ? found : undefined;
}
