/**
 * Shows the lines that a change would write to `config.yaml`, and the problems that the change
 * would cause.
 */

import type { Result } from '../../src/control/messages.ts';
import { countText } from '../../src/text/amounts.ts';
import type { Look } from '../theme/look.ts';

type Edit = Result<'jobs.edit'>;

/** A question shows at most this many lines. It only counts the remaining lines of the diff. */
const MOST_LINES = 14;
const LINE_CELLS = 70;

const SIGNS = { added: '+', removed: '-', same: ' ' } as const;
const TONES = { added: 'added', removed: 'removed', same: 'dim' } as const;

export function diffLines(diff: Edit['diff'], look: Look): string[] {
  const lines = diff
    .slice(0, MOST_LINES)
    .map(({ is, text }) =>
      look.paint(TONES[is], look.cut(`${SIGNS[is]} ${look.name(text)}`, LINE_CELLS)),
    );
  const rest = diff.length - lines.length;
  return rest > 0 ? [...lines, `and ${countText(rest, 'line')} more`] : lines;
}

/** Returns the first problem, and the number of further problems. */
export function problemText([first, ...rest]: Edit['problems']): string {
  const more = rest.length > 0 ? ` (and ${countText(rest.length, 'other')})` : '';
  return `${first?.option ?? 'config.yaml'}: ${first?.message ?? ''}${more}`;
}
