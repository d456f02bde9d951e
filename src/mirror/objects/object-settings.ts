/** What an object is given beside its bytes and what the mirror says of the file: headers, tags and rights, by patterns. */

import type { AclRequest } from '../../object-store/access.ts';
import type { Tag } from '../../object-store/tags.ts';
import { keyMatcher } from '../local/patterns/pattern-matcher.ts';
import type { ObjectHeaders, SettingsRule } from '../model/types.ts';

export interface ObjectSettings {
  /** In place of what the name alone tells. */
  readonly headers: ObjectHeaders;
  readonly tags?: readonly Tag[];
  readonly acl?: AclRequest;
}

/** Of each header, of the tags and of the rights, the last rule decides that matches and says something of it. */
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
