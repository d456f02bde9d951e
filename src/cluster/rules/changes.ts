/** Computes the settings that a node group has after an update, and the parameters that describe the update. */

import { defined } from '../../base/defined.ts';
import type {
  LabelChanges,
  Nodegroup,
  StringMap,
  Taint,
  TaintChanges,
  UpdateConfigRequest,
  UpdateParam,
  UpdateVersionRequest,
} from '../cluster-service.ts';
import {
  checkChanges,
  checkLaunchTemplate,
  checkScaling,
  checkUpdateSettings,
  invalid,
} from './check.ts';
import type { NodegroupTarget } from './records.ts';
import { MAX_LABELS, MAX_TAINTS } from './shapes.ts';

export interface PlannedUpdate {
  readonly target: NodegroupTarget;
  readonly params: readonly UpdateParam[];
}

/**
 * Returns the settings after the update, and the update's parameters. Throws ClusterError
 * `InvalidParameterException` if the resulting settings are invalid.
 */
export function planConfigUpdate(
  nodegroup: Nodegroup,
  request: UpdateConfigRequest,
): PlannedUpdate {
  checkChanges(request);
  const { labels, taints } = request;
  const scalingConfig = { ...nodegroup.scalingConfig, ...defined({ ...request.scalingConfig }) };
  const updateConfig = request.updateConfig
    ? defined({ ...request.updateConfig })
    : nodegroup.updateConfig;
  checkScaling(scalingConfig, request);
  checkUpdateSettings(updateConfig, scalingConfig, request);
  const target = {
    ...targetOf(nodegroup),
    scalingConfig,
    updateConfig,
    labels: labels ? changeLabels(nodegroup.labels, labels, request) : nodegroup.labels,
    taints: taints ? changeTaints(nodegroup.taints, taints, request) : nodegroup.taints,
  };
  return { target, params: configParams(request) };
}

export function planVersionUpdate(
  nodegroup: Nodegroup,
  request: UpdateVersionRequest & { readonly version: string },
): PlannedUpdate {
  const { version, releaseVersion, launchTemplate } = request;
  if (launchTemplate) checkLaunchTemplate(launchTemplate, request);
  const target = {
    ...targetOf(nodegroup),
    version,
    ...defined({ releaseVersion, launchTemplate }),
  };
  const params = paramsOf({
    Version: version,
    ReleaseVersion: releaseVersion,
    LaunchTemplateName: launchTemplate?.name,
    LaunchTemplateVersion: launchTemplate?.version,
  });
  return { target, params };
}

function targetOf(nodegroup: Nodegroup): NodegroupTarget {
  const { labels, taints, scalingConfig, updateConfig, version } = nodegroup;
  const { releaseVersion, launchTemplate } = nodegroup;
  return {
    labels,
    taints,
    scalingConfig,
    updateConfig,
    version,
    ...defined({ releaseVersion, launchTemplate }),
  };
}

function changeLabels(
  labels: StringMap,
  { addOrUpdateLabels = {}, removeLabels = [] }: LabelChanges,
  request: unknown,
): StringMap {
  const kept = Object.entries(labels).filter(([key]) => !removeLabels.includes(key));
  const changed = { ...Object.fromEntries(kept), ...addOrUpdateLabels };
  const { length } = Object.keys(changed);
  if (length > MAX_LABELS)
    throw invalid(
      `labels: a node group can have at most ${MAX_LABELS} labels, not ${length}`,
      request,
    );
  return changed;
}

function changeTaints(
  taints: readonly Taint[],
  { addOrUpdateTaints = [], removeTaints = [] }: TaintChanges,
  request: unknown,
): readonly Taint[] {
  const isSame = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const replaced = [...removeTaints, ...addOrUpdateTaints];
  const changed = [
    ...taints.filter((taint) => !replaced.some(isSame(taint))),
    ...addOrUpdateTaints,
  ];
  if (changed.length > MAX_TAINTS)
    throw invalid(
      `taints: a node group can have at most ${MAX_TAINTS} taints, not ${changed.length}`,
      request,
    );
  return changed;
}

function configParams(request: UpdateConfigRequest): readonly UpdateParam[] {
  const { labels, scalingConfig, taints, updateConfig } = request;
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  return paramsOf({
    MinSize: scalingConfig?.minSize,
    MaxSize: scalingConfig?.maxSize,
    DesiredSize: scalingConfig?.desiredSize,
    LabelsToAdd: json(labels?.addOrUpdateLabels),
    LabelsToRemove: json(labels?.removeLabels),
    TaintsToAdd: json(taints?.addOrUpdateTaints),
    TaintsToRemove: json(taints?.removeTaints),
    MaxUnavailable: updateConfig?.maxUnavailable,
    MaxUnavailablePercentage: updateConfig?.maxUnavailablePercentage,
  });
}

/** Returns a parameter with a string value for each field that is present. */
function paramsOf(
  members: Readonly<Record<string, string | number | undefined>>,
): readonly UpdateParam[] {
  return Object.entries(members).flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, value: String(value) }],
  );
}
