/** What a view of a past time says where it may be incomplete. */

import type { Context } from './context.ts';
import { countText } from './text.ts';

/** Of keys of which it is not known what they were at that time. */
export function undatedLine({ out }: Pick<Context, 'out'>, keys: number): string {
  const what =
    `this view may be incomplete: the service may have changed the dates of versions of ${countText(keys, 'path')}, ` +
    'which do not carry their own time';
  return out.paint('attention', what);
}
