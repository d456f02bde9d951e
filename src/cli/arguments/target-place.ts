/** Parses `TARGET[:BUCKET[/PREFIX]]`: a configured target, and a bucket and prefix there. */

import { defined } from '../../base/defined.ts';
import type { TargetConfig } from '../../config/config.ts';
import { destinationOf } from './service-place.ts';

export interface TargetPlace {
  readonly target: TargetConfig;
  readonly bucket?: string;
  /** The prefix, which ends in `/`. Absent for the whole bucket. */
  readonly prefix?: string;
}

/** Parses the text. Returns undefined if no target has that name. */
export function parseTargetPlace(
  text: string,
  targets: readonly TargetConfig[],
): TargetPlace | undefined {
  const [, name, rest = ''] = /^([^:/]+)(?::(.*))?$/s.exec(text) ?? [];
  const target = targets.find((each) => each.name === name);
  if (!target) return undefined;
  const { bucket, prefix } = destinationOf(rest);
  return { target, ...defined({ bucket, prefix: prefix || undefined }) };
}
