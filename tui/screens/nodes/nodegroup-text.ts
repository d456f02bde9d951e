/** Formats a node group and its updates as text. */

import { facts } from '../../widgets/facts.ts';
import { clockText, minuteText } from '../../../src/text/time.ts';
import { pairsText } from '../../text/pairs.ts';
import type { Look } from '../../theme/look.ts';
import { statusTone } from './cluster-data.ts';
import type { Nodegroup, Update } from './cluster-data.ts';
import { healthText } from './health.ts';
import { taintText } from './nodegroup-form.ts';

/**
 * Returns two lines: the health with the latest update, and the configuration (`labels env=prod   max unavailable 1
 * disk 50 GiB`). The most important facts come first, because a narrow terminal truncates the lines.
 */
export function summaryLines(group: Nodegroup, latest: Update | undefined, look: Look): string[] {
  const none = look.glyphs.none;
  const words = [
    `labels ${look.name(pairsText(group.labels)) || none}`,
    `max unavailable ${unavailableText(group) || none}`,
    `disk ${diskText(group) || none}`,
    `subnets ${group.subnets.length}`,
  ];
  const update = latest ? `update ${updateText(latest, look)}` : 'no update yet';
  return [`health ${healthText(group.health, look)}   ${update}`, words.join('   ')];
}

export function updateText(update: Update, look: Look): string {
  const at = update.createdAt === undefined ? '' : ` ${clockText(update.createdAt)}`;
  const id = update.id.length > 8 ? `${update.id.slice(0, 4)}${look.glyphs.ellipsis}` : update.id;
  return `${look.name(id)} ${look.name(update.type)} ${look.name(update.status)}${at}`;
}

export function nodegroupFacts(
  {
    group,
    latest,
    omitsEmpty = false,
  }: {
    readonly group: Nodegroup;
    readonly latest?: Update | undefined;
    readonly omitsEmpty?: boolean;
  },
  width: number,
  look: Look,
): string[] {
  const name = (text: string | undefined) => look.name(text ?? '');
  const { scalingConfig: scaling, launchTemplate: template } = group;
  const rows = [
    ['status', look.paint(statusTone(group.status), group.status)],
    ['health', healthText(group.health, look)],
    ...(latest ? [['update', updateText(latest, look)] as const] : []),
    ['nodes', scaling ? `${scaling.desiredSize} (${scaling.minSize} to ${scaling.maxSize})` : ''],
    ['types', name(group.instanceTypes.join(' '))],
    ['capacity', name(group.capacityType)],
    ['disk', diskText(group)],
    ['version', [group.version, group.releaseVersion].map(name).join(' ').trim()],
    ['max unavailable', unavailableText(group)],
    ['labels', name(pairsText(group.labels))],
    ['taints', name(group.taints.map(taintText).join(' '))],
    ['subnets', name(group.subnets.join(' '))],
    ['tags', name(pairsText(group.tags))],
    ['template', [template?.name ?? template?.id, template?.version].map(name).join(' ').trim()],
    ['scaling', name(group.resources.autoScalingGroups.map((each) => each.name).join(' '))],
    ['created', group.createdAt === undefined ? '' : minuteText(group.createdAt)],
    ['changed', group.modifiedAt === undefined ? '' : minuteText(group.modifiedAt)],
    ['ARN', name(group.nodegroupArn)],
  ] as const;
  return facts(
    rows.filter(([, value]) => !omitsEmpty || value !== ''),
    look,
    width,
  );
}

function diskText({ diskSize }: Nodegroup): string {
  return diskSize === undefined ? '' : `${diskSize} GiB`;
}

function unavailableText({ updateConfig }: Nodegroup): string {
  const share = updateConfig?.maxUnavailablePercentage;
  return share === undefined ? String(updateConfig?.maxUnavailable ?? '') : `${share}%`;
}
