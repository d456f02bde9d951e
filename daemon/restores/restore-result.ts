/** Converts the report of a restore to the result of `restore.run` in the control protocol. */

import { defined } from '../../src/base/defined.ts';
import type { Result } from '../../src/control/messages.ts';
import type { RestoreReport } from '../../src/restore/restore-options.ts';

export function resultOf(
  { early, unproven, problems, ...report }: RestoreReport,
  asked: { readonly to: string; readonly seconds: number },
): Result<'restore.run'> {
  return {
    ...report,
    ...asked,
    early: { ...early, paths: [...early.paths] },
    ...defined({ unproven: unproven && { ...unproven, paths: [...unproven.paths] } }),
    problems: [...problems],
  };
}
