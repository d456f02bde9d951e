/** The media type of a file, by the ending of its name. */

import { lookup } from 'mrmime';

/** Undefined where the ending has none. The package finds members that every object has, too, such as `constructor`. */
export function mediaTypeOf(name: string): string | undefined {
  const found: unknown = lookup(name);
  return typeof found === 'string' ? found : undefined;
}
