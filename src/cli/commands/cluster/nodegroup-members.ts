/** Converts command-line options to the request for a new node group, and to the changes in an update request. */

import { defined } from '../../../base/defined.ts';
import { usageError } from '../../output/command-error.ts';
import type { Pair } from '../../arguments/pairs.ts';

export interface GroupOptions {
  readonly instanceType?: readonly string[];
  readonly diskSize?: number;
  readonly min?: number;
  readonly desired?: number;
  readonly max?: number;
  readonly label?: readonly Pair[];
  readonly removeLabel?: readonly string[];
  readonly taint?: readonly string[];
  readonly removeTaint?: readonly string[];
  readonly tag?: readonly Pair[];
  readonly subnet?: readonly string[];
  readonly sshKey?: string;
  /** A number of nodes, or a percentage such as `25%`. */
  readonly maxUnavailable?: string;
  readonly nodeVersion?: string;
  readonly toVersion?: string;
}

/**
 * Returns the fields that options set in the request for a new node group. If an option sets only one of the sizes, the
 * other sizes are taken from the file.
 */
export function membersOf(
  options: GroupOptions,
  inFile: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { instanceType, diskSize, label, taint, tag, subnet, sshKey, nodeVersion } = options;
  const sizes = sizesOf(options);
  const before = inFile['scalingConfig'];
  return defined({
    instanceTypes: instanceType && [...instanceType],
    diskSize,
    version: nodeVersion,
    scalingConfig: sizes && withAllSizes({ ...(before as Sizes | undefined), ...sizes }),
    labels: label && mapOf(label),
    taints: taint?.map(parseTaint),
    tags: tag && mapOf(tag),
    subnets: subnet && [...subnet],
    remoteAccess: sshKey === undefined ? undefined : { vmSshKey: sshKey },
    updateConfig: unavailableOf(options),
  });
}

/**
 * Returns the changes of an update. `--to-version` requires no changes. Throws a usage error if no option sets a
 * change, or if `--to-version` is combined with an option that sets a change.
 */
export function changesOf(options: GroupOptions): Readonly<Record<string, unknown>> {
  const { label, removeLabel, taint, removeTaint, toVersion } = options;
  const labels = defined({
    addOrUpdateLabels: label && mapOf(label),
    removeLabels: removeLabel && [...removeLabel],
  });
  const taints = defined({
    addOrUpdateTaints: taint?.map(parseTaint),
    removeTaints: removeTaint?.map(parseTaint),
  });
  const changes = defined({
    labels: Object.keys(labels).length > 0 ? labels : undefined,
    taints: Object.keys(taints).length > 0 ? taints : undefined,
    scalingConfig: sizesOf(options),
    updateConfig: unavailableOf(options),
  });
  const isAny = Object.keys(changes).length > 0;
  if (isAny && toVersion !== undefined)
    throw usageError(
      'cannot use --to-version with other changes of a node group',
      'run the command twice: with --to-version, and with the other options',
    );
  if (!isAny && toVersion === undefined)
    throw usageError(
      'cannot update the node group: no change is given',
      'give --desired, --label, --taint, --to-version …',
    );
  return changes;
}

interface Sizes {
  readonly minSize?: number;
  readonly desiredSize?: number;
  readonly maxSize?: number;
}

/** Returns all three sizes, because a new node group needs them. Derives a missing size from the others. */
function withAllSizes({ minSize, desiredSize, maxSize }: Sizes): Required<Sizes> {
  const min = minSize ?? Math.min(1, desiredSize ?? 1);
  const desired = desiredSize ?? min;
  return { minSize: min, desiredSize: desired, maxSize: maxSize ?? Math.max(1, desired) };
}

function sizesOf({ min, desired, max }: GroupOptions): Sizes | undefined {
  const sizes = defined({ minSize: min, desiredSize: desired, maxSize: max });
  return Object.keys(sizes).length > 0 ? sizes : undefined;
}

function unavailableOf({ maxUnavailable: text }: GroupOptions): object | undefined {
  if (text === undefined) return undefined;
  const [, digits, percent] = /^(\d+)(%)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw usageError(`invalid --max-unavailable "${text}": write a number of nodes, or 25%`);
  return percent
    ? { maxUnavailablePercentage: Number(digits) }
    : { maxUnavailable: Number(digits) };
}

/** Parses `KEY=VALUE:EFFECT` or `KEY:EFFECT`. Throws a usage error for any other form. The service validates the effect. */
function parseTaint(text: string): object {
  const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:([A-Za-z_]+)$/.exec(text) ?? [];
  if (key === undefined || effect === undefined)
    throw usageError(`invalid taint "${text}": write KEY=VALUE:NO_SCHEDULE, or KEY:NO_EXECUTE`);
  return defined({ key, value, effect });
}

function mapOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}
