/** The rules of a lifecycle that are on, found by key: there may be a thousand of them, and a million keys. */

import type { LifecycleRule } from '../lifecycle.ts';
import { compareUtf8 } from './listing.ts';

const NONE: readonly LifecycleRule[] = [];

export class ActiveRules {
  /** In byte order, none within another: what lies below none of them needs no look. */
  readonly versionPrefixes: readonly string[];
  readonly uploadPrefixes: readonly string[];
  readonly #byPrefix = new Map<string, LifecycleRule[]>();
  readonly #lengths: readonly number[];

  constructor(rules: readonly LifecycleRule[]) {
    const active = rules.filter((rule) => rule.enabled);
    for (const rule of active) {
      const prefix = rule.filter.prefix ?? '';
      const same = this.#byPrefix.get(prefix);
      if (same) same.push(rule);
      else this.#byPrefix.set(prefix, [rule]);
    }
    this.#lengths = [...new Set([...this.#byPrefix.keys()].map((prefix) => prefix.length))];
    this.versionPrefixes = outermost(active.filter(judgesVersions));
    this.uploadPrefixes = outermost(active.filter(judgesUploads));
  }

  /** Those whose prefix the key has, whatever else they ask for. */
  of(key: string): readonly LifecycleRule[] {
    let found = NONE;
    for (const length of this.#lengths) {
      if (length > key.length) continue;
      const some = this.#byPrefix.get(key.slice(0, length));
      if (some) found = found.length === 0 ? some : [...found, ...some];
    }
    return found;
  }
}

function judgesVersions({ expiration, noncurrentExpiration }: LifecycleRule): boolean {
  return expiration !== undefined || noncurrentExpiration !== undefined;
}

function judgesUploads({ abortUploadsAfterDays }: LifecycleRule): boolean {
  return abortUploadsAfterDays !== undefined;
}

function outermost(rules: readonly LifecycleRule[]): readonly string[] {
  const sorted = rules.map((rule) => rule.filter.prefix ?? '').sort(compareUtf8);
  const kept: string[] = [];
  for (const prefix of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
  }
  return kept;
}
