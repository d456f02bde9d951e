/** Formats the warning that a point-in-time view may be incomplete. */

import type { Context } from '../../context.ts';
import { countText } from '../../../text/amounts.ts';

interface View {
  /**
   * Whether the view is from `restore --from`. That command has no provenance key of a job, so it trusts the recorded
   * times of versions without proof.
   */
  readonly isFrom?: boolean;
}

/** Returns the warning. `paths` is the number of paths that may have had another version at that time. */
export function undatedLines(
  { out }: Pick<Context, 'out'>,
  paths: number,
  { isFrom = false }: View = {},
): readonly string[] {
  const what =
    'this view may be incomplete: the service may have changed the dates of versions of ' +
    `${countText(paths, 'path')},`;
  const rest = isFrom
    ? ['  which have no recorded time']
    : ['  whose recorded times are missing or not proven by the key of this job', ...NEXT_STEPS];
  return [what, ...rest].map((line) => out.paint('attention', line));
}

const NEXT_STEPS = [
  '  Try: holdfast restore --from ENDPOINT/BUCKET/PREFIX --at TIME --to FOLDER, which needs no proof,',
  '  or restore the key of the job from a backup of the state: holdfast admin restore-state',
];
