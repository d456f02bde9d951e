/** What a view of a past time says where it may be incomplete. */

import type { Context } from '../../context.ts';
import { countText } from '../../output/text.ts';

interface View {
  /** By `restore --from`: without the key of a job, the time that a version carries needs no proof. */
  readonly isFrom?: boolean;
}

/** `paths`: how many of them may have been another version then. */
export function undatedLines(
  { out }: Pick<Context, 'out'>,
  paths: number,
  { isFrom = false }: View = {},
): readonly string[] {
  const what =
    'this view may be incomplete: the service may have changed the dates of versions of ' +
    `${countText(paths, 'path')},`;
  const rest = isFrom
    ? ['  which carry no time of their own']
    : ['  whose own times are missing or not proven by the key of this job', ...NEXT_STEPS];
  return [what, ...rest].map((line) => out.paint('attention', line));
}

const NEXT_STEPS = [
  '  Try: holdfast restore --from ENDPOINT/BUCKET/PREFIX --at TIME --to FOLDER, which needs no proof,',
  '  or restore the key of the job from a backup of the state: holdfast admin restore-state',
];
