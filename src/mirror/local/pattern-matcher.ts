/** One pattern in the syntax of .gitignore, asked about many keys. */

import ignore from 'ignore';

/** `ignore` remembers every path it was asked: beyond this many it is made anew, to bound memory. */
const REMEMBERED_PATHS = 4_096;

export function patternMatcher(pattern: string): (key: string) => boolean {
  const fresh = () => ignore({ ignorecase: false }).add(pattern);
  let rules = fresh();
  let asked = 0;
  return (key) => {
    if (++asked > REMEMBERED_PATHS) {
      rules = fresh();
      asked = 0;
    }
    return rules.ignores(key);
  };
}
