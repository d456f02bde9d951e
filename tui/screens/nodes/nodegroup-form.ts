/**
 * The forms for node groups: for a new node group, for its configuration, and for a version update.
 */

import { defined } from '../../../src/base/defined.ts';
import type { Params } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import { required } from '../../widgets/field-checks.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { Field, FormValues } from '../../widgets/form.ts';
import {
  pairsOf,
  pairsProblem,
  pairsText,
  wholeOf,
  wholeProblem,
  wordsOf,
} from '../../text/pairs.ts';
import type { ClusterPlace, Nodegroup } from './cluster-data.ts';

/** The maximum number of nodes (specification, section "Limits"). */
const MOST_NODES = 450;
const EFFECTS = ['NO_SCHEDULE', 'NO_EXECUTE', 'PREFER_NO_SCHEDULE'] as const;

type Taint = { key: string; value?: string; effect: (typeof EFFECTS)[number] };
type AnyTaint = {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
};

const nodes = (least: number) => (text: string) => wholeProblem(text, least, MOST_NODES);

const LABELS: Field = {
  name: 'labels',
  label: 'labels',
  placeholder: 'none',
  help: 'KEY=VALUE, separated by spaces: env=prod team=core',
  check: pairsProblem,
};
const TAINTS: Field = {
  name: 'taints',
  label: 'taints',
  placeholder: 'none',
  help: 'KEY=VALUE:EFFECT; the effects are NO_SCHEDULE, NO_EXECUTE, PREFER_NO_SCHEDULE',
  check: taintsProblem,
};
const UNAVAILABLE: Field = {
  name: 'unavailable',
  label: 'max unavailable',
  help: 'nodes that may be unavailable during an update: a number, or a share such as 25%',
  check: unavailableProblem,
};

export function openNewNodegroup(ui: Ui, place: ClusterPlace, done: (name: string) => void): void {
  const fields: readonly Field[] = [
    {
      name: 'nodegroupName',
      label: 'name',
      help: 'letters, digits, - and _; at most 63 characters',
      check: required,
    },
    {
      name: 'instanceTypes',
      label: 'instance types',
      value: 'm1.small',
      help: 'such as m5.large; only the first type is used',
      check: required,
    },
    ...scalingFields({ minSize: 1, desiredSize: 1, maxSize: 2 }),
    {
      name: 'diskSize',
      label: 'disk GiB',
      placeholder: 'the service chooses',
      check: (text) => wholeProblem(text, 1, 65_536),
    },
    LABELS,
    TAINTS,
    { name: 'subnets', label: 'subnets', placeholder: 'those of the cluster' },
    { ...UNAVAILABLE, value: '1' },
    { name: 'tags', label: 'tags', placeholder: 'none', help: 'KEY=VALUE', check: pairsProblem },
  ];
  const submit = async (values: FormValues) => {
    const name = value(values, 'nodegroupName');
    await ui.call('nodegroups.create', newNodegroup(place, values));
    ui.notify(`creating node group ${name}`);
    done(name);
  };
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `New node group in ${ui.look.name(place.clusterName)}`,
      act: 'create',
      fields,
      submit,
    }),
  );
}

function newNodegroup(place: ClusterPlace, values: FormValues): Params<'nodegroups.create'> {
  const words = (name: string) => {
    const found = wordsOf(value(values, name));
    return found.length === 0 ? undefined : found;
  };
  const pairs = (name: string) =>
    value(values, name).trim() === '' ? undefined : pairsOf(value(values, name));
  return defined({
    ...place,
    nodegroupName: value(values, 'nodegroupName').trim(),
    instanceTypes: words('instanceTypes') ?? [],
    scalingConfig: scalingOf(values),
    diskSize: wholeOf(value(values, 'diskSize')),
    labels: pairs('labels'),
    taints: value(values, 'taints').trim() === '' ? undefined : taintsOf(value(values, 'taints')),
    subnets: words('subnets'),
    updateConfig: unavailableOf(value(values, 'unavailable')),
    tags: pairs('tags'),
  });
}

export function openNodegroupConfig(
  ui: Ui,
  place: ClusterPlace,
  group: Nodegroup,
  done: () => void,
): void {
  const { updateConfig, scalingConfig } = group;
  const unavailable = updateConfig?.maxUnavailablePercentage;
  const fields: readonly Field[] = [
    ...scalingFields(scalingConfig ?? { minSize: 1, desiredSize: 1, maxSize: 1 }),
    { ...LABELS, value: pairsText(group.labels) },
    { ...TAINTS, value: group.taints.map(taintText).join(' ') },
    {
      ...UNAVAILABLE,
      value:
        unavailable === undefined ? String(updateConfig?.maxUnavailable ?? '') : `${unavailable}%`,
    },
  ];
  const submit = async (values: FormValues) => {
    const changes = configChanges(group, values);
    if (Object.keys(changes).length === 0) throw new Error('nothing is changed yet');
    const { nodegroupName } = group;
    const { id } = await ui.call('nodegroups.updateConfig', {
      ...place,
      nodegroupName,
      ...changes,
    });
    ui.notify(`update ${id} of ${nodegroupName} has begun`);
    done();
  };
  const title = `Configuration of ${ui.look.name(group.nodegroupName)}`;
  ui.openOverlay(new FormOverlay(ui, { title, act: 'update', fields, submit }));
}

type ConfigChanges = Omit<
  Params<'nodegroups.updateConfig'>,
  'clusterName' | 'nodegroupName' | 'service' | 'clientRequestToken'
>;

/** Returns only the changed settings, because the service creates an update for each setting in the request. */
export function configChanges(group: Nodegroup, values: FormValues): ConfigChanges {
  const scaling = scalingOf(values);
  const labels = pairsOf(value(values, 'labels'));
  const taints = taintsOf(value(values, 'taints'));
  const addedLabels = Object.entries(labels).filter(([key, text]) => group.labels[key] !== text);
  const removedLabels = Object.keys(group.labels).filter((key) => !(key in labels));
  const has = (all: readonly AnyTaint[], taint: AnyTaint) =>
    all.some((each) => taintText(each) === taintText(taint));
  const addedTaints = taints.filter((taint) => !has(group.taints, taint));
  const kept = new Set(taints.map(({ key, effect }) => `${key}:${effect}`));
  const removedTaints = group.taints.filter(({ key, effect }) => !kept.has(`${key}:${effect}`));
  const unavailable = unavailableOf(value(values, 'unavailable'));
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return defined({
    scalingConfig: isSame(scaling, group.scalingConfig) ? undefined : scaling,
    labels: orNone({
      addOrUpdateLabels: addedLabels.length > 0 ? Object.fromEntries(addedLabels) : undefined,
      removeLabels: removedLabels.length > 0 ? removedLabels : undefined,
    }),
    taints: orNone({
      addOrUpdateTaints: addedTaints.length > 0 ? addedTaints : undefined,
      removeTaints: removedTaints.length > 0 ? (removedTaints as Taint[]) : undefined,
    }),
    updateConfig: isSame(unavailable, group.updateConfig) ? undefined : unavailable,
  });
}

function orNone<T extends object>(members: T): ReturnType<typeof defined<T>> | undefined {
  const found = defined(members);
  return Object.keys(found).length === 0 ? undefined : found;
}

export function openNodegroupVersion(
  ui: Ui,
  place: ClusterPlace,
  group: Nodegroup,
  done: () => void,
): void {
  const { nodegroupName } = group;
  const fields: readonly Field[] = [
    {
      name: 'version',
      label: 'version',
      value: group.version ?? '',
      help: 'empty: those of the cluster',
    },
    { name: 'releaseVersion', label: 'release', help: 'empty: the latest of that version' },
  ];
  const submit = async (values: FormValues) => {
    const version = value(values, 'version') || undefined;
    const releaseVersion = value(values, 'releaseVersion') || undefined;
    const request = defined({ ...place, nodegroupName, version, releaseVersion });
    const { id } = await ui.call('nodegroups.updateVersion', request);
    ui.notify(`update ${id} of ${nodegroupName} has begun`);
    done();
  };
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Version of ${ui.look.name(nodegroupName)}`,
      act: 'update',
      fields,
      submit,
    }),
  );
}

interface Scaling {
  readonly minSize: number;
  readonly desiredSize: number;
  readonly maxSize: number;
}

function scalingFields({ minSize, desiredSize, maxSize }: Scaling): readonly Field[] {
  return [
    {
      name: 'desiredSize',
      label: 'desired',
      value: String(desiredSize),
      help: 'number of nodes, from min to max',
      check: desiredProblem,
    },
    {
      name: 'minSize',
      label: 'min',
      value: String(minSize),
      help: `0 to ${MOST_NODES}`,
      check: nodes(0),
    },
    {
      name: 'maxSize',
      label: 'max',
      value: String(maxSize),
      help: `1 to ${MOST_NODES}`,
      check: nodes(1),
    },
  ];
}

function desiredProblem(text: string, values: FormValues): string | undefined {
  const problem = wholeProblem(text, 0, MOST_NODES);
  if (problem !== undefined) return problem;
  const [least, most] = [count(values, 'minSize'), count(values, 'maxSize')];
  const desired = wholeOf(text) ?? 0;
  const isBetween = desired >= least && desired <= most;
  return isBetween ? undefined : `must be from min to max, ${least} to ${most}`;
}

function scalingOf(values: FormValues): Scaling {
  return {
    minSize: count(values, 'minSize'),
    desiredSize: count(values, 'desiredSize'),
    maxSize: count(values, 'maxSize'),
  };
}

export function taintText({ key, value, effect }: AnyTaint): string {
  return `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;
}

export function taintsOf(text: string): Taint[] {
  return wordsOf(text).map((word) => {
    const [pair = '', effect = ''] = splitAtLast(word, ':');
    const [key = '', taintValue] = pair.split('=', 2);
    return defined({ key, value: taintValue, effect: effect as Taint['effect'] });
  });
}

function taintsProblem(text: string): string | undefined {
  const wrong = wordsOf(text).find((word) => {
    const [, effect] = splitAtLast(word, ':');
    return !EFFECTS.some((each) => each === effect) || word.startsWith(':');
  });
  return wrong === undefined
    ? undefined
    : `"${wrong}": write KEY=VALUE:EFFECT, effect one of ${EFFECTS.join(', ')}`;
}

function splitAtLast(text: string, mark: string): readonly string[] {
  const at = text.lastIndexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function unavailableOf(text: string): Params<'nodegroups.create'>['updateConfig'] {
  if (text === '') return undefined;
  const amount = wholeOf(text.replace('%', '')) ?? 0;
  return text.endsWith('%') ? { maxUnavailablePercentage: amount } : { maxUnavailable: amount };
}

function unavailableProblem(text: string): string | undefined {
  return wholeProblem(text.replace('%', ''), 1, 100);
}

function count(values: FormValues, name: string): number {
  return wholeOf(value(values, name)) ?? 0;
}

function value(values: FormValues, name: string): string {
  return values[name] ?? '';
}
