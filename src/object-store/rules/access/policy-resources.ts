/** Parses the resources in policies: the bucket (`arn:aws:s3:::bucket`) and its objects (`arn:aws:s3:::bucket/*`). */

import { malformedPolicy } from './malformed-policy.ts';
import { compilePattern, type Pattern, type PatternOptions } from './pattern.ts';

const ARN = 'arn:aws:s3:::';

/**
 * The characters that can follow the bucket's name in a resource. Otherwise `logs-2` would count as a resource of
 * `logs`.
 */
const AFTER_NAME = new Set(['', '*', '/', '?']);

interface ResourceOptions extends Pick<PatternOptions, 'variables'> {
  readonly bucket: string;
}

/**
 * Returns the patterns for the part of each resource after the bucket's name. Throws MalformedPolicy for a resource of
 * another bucket, and for an unknown variable.
 */
export function parseResources(
  written: readonly string[],
  { bucket, variables }: ResourceOptions,
): readonly Pattern[] {
  return written.map((resource) => {
    const name = ARN + bucket;
    const rest = resource.slice(name.length);
    if (!resource.startsWith(name) || !AFTER_NAME.has(rest.slice(0, 1))) {
      throw malformedPolicy(
        `Policy has invalid resource: ${JSON.stringify(resource)}; it must begin with ${name}`,
      );
    }
    const pattern = compilePattern(rest, { wildcards: true, variables });
    if (pattern) return pattern;
    throw malformedPolicy(
      `Policy has an unknown variable in resource: ${JSON.stringify(resource)}`,
    );
  });
}
