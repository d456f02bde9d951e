/**
 * Finds the enabled lifecycle rules whose prefix matches a key. Fast enough for a thousand rules and a million keys.
 */

import type { LifecycleRule } from '../lifecycle.ts';
import type { TimedRule } from './lifecycle-evaluation.ts';
import { compareUtf8 } from './listing.ts';

const NONE: readonly TimedRule[] = [];

interface Prefix {
  readonly text: string;
  /**
   * The longest different prefix with which this prefix begins. Every key that begins with this prefix also begins with
   * that prefix.
   */
  readonly within: Prefix | undefined;
  /** The rules with this prefix, in the order of the lifecycle document. */
  readonly rules: readonly TimedRule[];
}

export class ActiveRules {
  /**
   * The prefixes of the rules that apply to versions, in byte order. None of these prefixes begins with another one.
   * Keys without any of these prefixes need not be read.
   */
  readonly versionPrefixes: readonly string[];
  readonly uploadPrefixes: readonly string[];
  /**
   * The prefixes, sorted with `<`. In this order, if a text lies between a prefix and a text that begins with the
   * prefix, it also begins with the prefix.
   */
  readonly #prefixes: readonly Prefix[];
  readonly #places: ReadonlyMap<TimedRule, number>;

  /** Indexes the enabled rules. `dayMs` is the length of a day in milliseconds, by default 24 hours. */
  constructor(rules: readonly LifecycleRule[], dayMs?: number) {
    const enabled = rules.filter((rule) => rule.enabled);
    const active: readonly TimedRule[] =
      dayMs === undefined ? enabled : enabled.map((rule) => Object.assign({ dayMs }, rule));
    this.#prefixes = nested(Map.groupBy(active, ({ filter }) => filter.prefix ?? ''));
    this.#places = new Map(active.map((rule, place) => [rule, place]));
    this.versionPrefixes = outermost(active.filter(appliesToVersions));
    this.uploadPrefixes = outermost(active.filter(appliesToUploads));
  }

  /**
   * Returns the enabled rules whose prefix matches the key, in the order of the document. Their other conditions are
   * not checked.
   */
  of(key: string): readonly TimedRule[] {
    let prefix = this.#lastUpTo(key);
    while (prefix && !key.startsWith(prefix.text)) prefix = prefix.within;
    if (prefix === undefined) return NONE;
    if (prefix.within === undefined) return prefix.rules;
    const found: TimedRule[] = [];
    for (; prefix; prefix = prefix.within) found.push(...prefix.rules);
    const placeOf = (rule: TimedRule) => this.#places.get(rule) ?? 0;
    return found.sort((one, other) => placeOf(one) - placeOf(other));
  }

  /**
   * Returns the last prefix in the list that does not sort after the key, or undefined. Every prefix that matches the
   * key is either this prefix or a beginning of it.
   */
  #lastUpTo(key: string): Prefix | undefined {
    let [low, high] = [0, this.#prefixes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#prefixes[middle]?.text ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return this.#prefixes[low - 1];
  }
}

function nested(byPrefix: ReadonlyMap<string, readonly TimedRule[]>): readonly Prefix[] {
  const prefixes: Prefix[] = [];
  for (const [text, rules] of [...byPrefix].sort(([one], [other]) => (one < other ? -1 : 1))) {
    let within = prefixes.at(-1);
    while (within && !text.startsWith(within.text)) ({ within } = within);
    prefixes.push({ text, within, rules });
  }
  return prefixes;
}

function appliesToVersions({ expiration, noncurrentExpiration }: LifecycleRule): boolean {
  return expiration !== undefined || noncurrentExpiration !== undefined;
}

function appliesToUploads({ abortUploadsAfterDays }: LifecycleRule): boolean {
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
