/** Mutations of the action table. Each mutation changes the ACL permission in one line. */

import { ACTIONS, type Action, actionRule } from '../../src/object-store/action.ts';
import type { Mutation } from './mutation.ts';

/** Replaces the permission in a line of the table, or adds a permission if the line has none. */
function other(line: string, action: Action): string {
  const { on, permission, bucketPermission } = actionRule(action);
  if (permission !== undefined)
    return line.replace(
      /permission: '\w+'/,
      `permission: '${permission === 'READ' ? 'WRITE' : 'READ'}'`,
    );
  if (bucketPermission !== undefined)
    return line.replace(/bucketPermission: '\w+'/, "bucketPermission: 'READ'");
  return `  ${action}: { on: '${on === 'upload' ? 'object' : on}', permission: 'READ' },`;
}

export function actionMutations(table: string): readonly Mutation[] {
  // DeleteBucket is excluded, because only the owner may delete a bucket and no ACL can allow it.
  const actions = (Object.keys(ACTIONS) as Action[]).filter(
    (action) => actionRule(action).on !== 'service' && action !== 'DeleteBucket',
  );
  return actions.map((action) => {
    const from = new RegExp(`^  ${action}: .*,$`, 'm').exec(table)?.[0] ?? action;
    return {
      rule: `${action} requires the ACL permission of the action table`,
      file: 'object-store/action.ts',
      from,
      to: other(from, action),
    };
  });
}
