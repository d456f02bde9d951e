/**
 * Implements the control methods for decisions of the user about held changes and problems of jobs.
 */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { DAY_MS } from '../../../src/base/durations.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { Jobs } from '../../jobs/jobs.ts';

type DecisionMethod =
  | 'jobs.review'
  | 'jobs.approve'
  | 'jobs.reject'
  | 'jobs.acknowledge'
  | 'jobs.acceptRoot';

export function jobDecisionHandlers(
  jobs: Jobs,
  clock: Clock,
): Pick<ControlHandlers, DecisionMethod> {
  return {
    'jobs.review': async ({ name, after, limit, within, withGroups }) => {
      const { heldChanges } = await jobs.get(name).mirror();
      const page = heldChanges.review(defined({ after, limit, within, withGroups }));
      const { groups, ...rest } = page;
      return { ...rest, changes: [...page.changes], ...(groups && { groups: [...groups] }) };
    },
    'jobs.approve': async ({ name, digest }) => {
      const { heldChanges } = await jobs.get(name).mirror();
      return heldChanges.approve(digest);
    },
    'jobs.reject': async ({ name }) => {
      const { heldChanges } = await jobs.get(name).mirror();
      return heldChanges.reject();
    },
    'jobs.acknowledge': async ({ name, path, acknowledgement }) => {
      const { problems } = await jobs.get(name).mirror();
      const until = acknowledgement?.until ?? 0;
      if (until > clock.now() + 365 * DAY_MS)
        throw new ControlError(
          'BadRequest',
          'cannot acknowledge the problem: the maximum is 365 days',
        );
      const isFound = acknowledgement
        ? problems.acknowledge(path, acknowledgement)
        : problems.withdraw(path);
      if (isFound) return jobs.get(name).status();
      const what = acknowledgement ? 'problem' : 'acknowledged problem';
      throw new ControlError('NotFound', `job ${name} has no ${what} at ${path}`, {
        hint: `to list its problems: holdfast job show ${name}`,
      });
    },
    'jobs.acceptRoot': async ({ name }) => {
      (await jobs.get(name).mirror()).acceptRoot();
      return jobs.get(name).status();
    },
  };
}
