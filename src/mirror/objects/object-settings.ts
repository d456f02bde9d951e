/** Headers, tags and ACL that a job's rules give to objects by pattern. */

import type { AclRequest } from '../../object-store/access.ts';
import type { Tag } from '../../object-store/tags.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { ObjectHeaders, SettingsRule } from '../model/types.ts';

export interface ObjectSettings {
  /** Overrides the headers that follow from the name. */
  readonly headers: ObjectHeaders;
  readonly tags?: readonly Tag[];
  readonly acl?: AclRequest;
}

/** For each header, the tags and the ACL, the last matching rule that sets it applies. */
export function settingsByRules(rules: readonly SettingsRule[]): (key: string) => ObjectSettings {
  const matchers = rules.map(({ match, ...rule }) => ({ matches: keyMatcher([match]), rule }));
  return (key) => {
    const rulesOfKey = matchers.filter(({ matches }) => matches(key)).map(({ rule }) => rule);
    const tags = rulesOfKey.findLast((rule) => rule.tags)?.tags;
    const canned = rulesOfKey.findLast((rule) => rule.acl)?.acl;
    const headers = Object.assign({}, ...rulesOfKey.map((rule) => rule.headers)) as ObjectHeaders;
    return { headers, ...(tags && { tags }), ...(canned && { acl: { canned } }) };
  };
}
