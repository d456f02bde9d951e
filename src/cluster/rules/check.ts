/** Validates requests: the types and limits of their fields, and the relations between fields. */

import { ClusterError } from '../cluster-error.ts';
import type {
  CreateNodegroupRequest,
  LaunchTemplate,
  ScalingConfig,
  UpdateConfigRequest,
  UpdateSettings,
} from '../cluster-service.ts';
import { SHAPES } from './shapes.ts';
import type { z } from 'zod';

export type Method = keyof typeof SHAPES;
export type Parsed<M extends Method> = z.output<(typeof SHAPES)[M]>;

/**
 * The name of the field `clusterName` in error messages. The path parameter has the same name (specification,
 * "Endpoints").
 */
const CLUSTER_NAME = 'name';

/**
 * Returns the request without unknown fields. Throws ClusterError `InvalidParameterException`. The message names the
 * invalid field and its limit.
 */
export function parseRequest<M extends Method>(method: M, request: unknown): Parsed<M> {
  const parsed = SHAPES[method].safeParse(request);
  if (parsed.success) return parsed.data as Parsed<M>;
  const [issue] = parsed.error.issues;
  const at =
    issue?.path.map((member) => (member === 'clusterName' ? CLUSTER_NAME : member)).join('.') ?? '';
  throw invalid(at === '' ? `the request ${issue?.message}` : `${at}: ${issue?.message}`, request);
}

/**
 * Throws ClusterError `InvalidParameterException` unless minSize ≤ desiredSize ≤ maxSize (semantics
 * B.19).
 */
export function checkScaling(
  { minSize, desiredSize, maxSize }: ScalingConfig,
  request: unknown,
): void {
  if (minSize > maxSize)
    throw invalid(
      `scalingConfig: Minimum capacity ${minSize} can't be greater than maximum size ${maxSize}`,
      request,
    );
  if (minSize > desiredSize)
    throw invalid(
      `scalingConfig: Minimum capacity ${minSize} can't be greater than desired size ${desiredSize}`,
      request,
    );
  if (desiredSize > maxSize)
    throw invalid(
      `scalingConfig: desiredSize ${desiredSize} can't be greater than maxSize ${maxSize}`,
      request,
    );
}

export function checkUpdateSettings(
  { maxUnavailable, maxUnavailablePercentage }: UpdateSettings,
  { maxSize }: ScalingConfig,
  request: unknown,
): void {
  const given = [maxUnavailable, maxUnavailablePercentage].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw invalid(
      'updateConfig: must have either maxUnavailable or maxUnavailablePercentage, not both',
      request,
    );
  if (maxUnavailable !== undefined && maxUnavailable > maxSize)
    throw invalid(
      `updateConfig: max-unavailable must be within the range 1 and max size of the node group (${maxSize}), not ${maxUnavailable}`,
      request,
    );
}

export function checkNewNodegroup(request: CreateNodegroupRequest): void {
  const { launchTemplate, diskSize, remoteAccess, taints = [] } = request;
  if (launchTemplate) {
    checkLaunchTemplate(launchTemplate, request);
    const both = diskSize !== undefined ? 'diskSize' : remoteAccess && 'remoteAccess';
    if (both !== undefined)
      throw invalid(
        `${both}: must not be used with a launch template, which specifies it`,
        request,
      );
  }
  refuseRepeated(
    'taints',
    taints.map(({ key, effect }) => `${key}:${effect}`),
    request,
  );
}

export function checkLaunchTemplate({ id, name }: LaunchTemplate, request: unknown): void {
  if ((id === undefined) !== (name === undefined)) return;
  throw invalid('launchTemplate: must have either id or name, not both', request);
}

/**
 * Throws ClusterError `InvalidParameterException` if `scalingConfig`, `labels` or `taints` is present but empty. Also
 * throws it if the update request adds the same taint twice, or adds and removes the same label or taint.
 */
export function checkChanges(request: UpdateConfigRequest): void {
  const { labels, scalingConfig, taints } = request;
  if (scalingConfig && Object.values(scalingConfig).every((each) => each === undefined))
    throw invalid(
      'scalingConfig: Either all or at least one of minSize, maxSize, desiredSize must be provided',
      request,
    );
  if (labels) {
    const added = Object.keys(labels.addOrUpdateLabels ?? {});
    checkBoth('labels', { added, removed: labels.removeLabels ?? [] }, request);
  }
  if (taints) {
    const idOf = ({ key, effect }: { key: string; effect: string }) => `${key}:${effect}`;
    const added = (taints.addOrUpdateTaints ?? []).map(idOf);
    checkBoth('taints', { added, removed: (taints.removeTaints ?? []).map(idOf) }, request);
  }
}

function checkBoth(
  member: 'labels' | 'taints',
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
  request: unknown,
): void {
  const word = member === 'labels' ? 'Labels' : 'Taints';
  if (added.length + removed.length === 0)
    throw invalid(
      `${member}: Both or either addOrUpdate${word} or remove${word} must not be empty`,
      request,
    );
  refuseRepeated(`${member}.addOrUpdate${word}`, added, request);
  const both = removed.find((each) => added.includes(each));
  if (both === undefined) return;
  throw invalid(`${member}: ${both} must not be added and removed in one request`, request);
}

function refuseRepeated(member: string, ids: readonly string[], request: unknown): void {
  const repeated = ids.find((each, index) => ids.indexOf(each) !== index);
  if (repeated !== undefined) throw invalid(`${member}: ${repeated} occurs twice`, request);
}

export function invalid(message: string, request?: unknown): ClusterError {
  return new ClusterError('InvalidParameterException', message, concernedOf(request));
}

/**
 * Returns the cluster and node group names in a request. The error response contains them next to
 * the message.
 */
export function concernedOf(request: unknown): {
  readonly clusterName?: string;
  readonly nodegroupName?: string;
} {
  if (typeof request !== 'object' || request === null) return {};
  const members = request as Readonly<Record<string, unknown>>;
  const clusterName = members['clusterName'] ?? members['name'];
  const nodegroupName = members['nodegroupName'];
  return {
    ...(typeof clusterName === 'string' && { clusterName }),
    ...(typeof nodegroupName === 'string' && { nodegroupName }),
  };
}
