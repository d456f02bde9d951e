/** Which right of a list gives which action: each line of the table, with another right. */

import { ACTIONS, type Action, actionRule } from '../../src/object-store/action.ts';
import type { Mutation } from './mutation.ts';

/** A right that is named is another; where there is none, there is one. */
function other(line: string, action: Action): string {
  const { on, right, bucketRight } = actionRule(action);
  if (right !== undefined)
    return line.replace(/right: '\w+'/, `right: '${right === 'READ' ? 'WRITE' : 'READ'}'`);
  if (bucketRight !== undefined) return line.replace(/bucketRight: '\w+'/, "bucketRight: 'READ'");
  return `  ${action}: { on: '${on === 'upload' ? 'object' : on}', right: 'READ' },`;
}

export function actionMutations(table: string): readonly Mutation[] {
  // Only its owner deletes a bucket: no list could give it.
  const actions = (Object.keys(ACTIONS) as Action[]).filter(
    (action) => actionRule(action).on !== 'service' && action !== 'DeleteBucket',
  );
  return actions.map((action) => {
    const from = new RegExp(`^  ${action}: .*,$`, 'm').exec(table)?.[0] ?? action;
    return {
      rule: `the right to ${action}`,
      file: 'object-store/action.ts',
      from,
      to: other(from, action),
    };
  });
}
