/** Formats clusters, node groups and their updates. */

import { ownMember } from '../../../base/own-member.ts';
import type { Result } from '../../../control/messages.ts';
import { tableLines, type Tone } from '../../output/output.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';

export type Cluster = Result<'clusters.describe'>;
export type Nodegroup = Result<'nodegroups.describe'>;
export type Update = Result<'nodegroups.describeUpdate'>;

const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  Successful: 'good',
  FAILED: 'bad',
  CREATE_FAILED: 'bad',
  DELETE_FAILED: 'bad',
  Failed: 'bad',
  DEGRADED: 'bad',
};

export function statusText({ out }: Context, status: string): string {
  return out.paint(ownMember(TONES, status) ?? 'attention', visible(status));
}

export function clusterTable(context: Context, clusters: readonly Cluster[]): string[] {
  const titles = ['CLUSTER', 'STATUS', 'VERSION', 'MADE', 'TAGS'].map((title) => ({ title }));
  const rows = clusters.map(({ name, status, version, createdAt, tags }) => [
    visible(name),
    statusText(context, status),
    visible(version ?? '-'),
    createdAt === undefined ? '-' : timeText(createdAt),
    pairsText(tags),
  ]);
  return tableLines(titles, rows);
}

export function nodegroupTable(context: Context, groups: readonly Nodegroup[]): string[] {
  const titles = ['GROUP', 'STATUS', 'NODES', 'MIN', 'MAX', 'TYPE', 'VERSION', 'LABELS'];
  const columns = titles.map((title) => ({
    title,
    align: ['NODES', 'MIN', 'MAX'].includes(title) ? ('right' as const) : ('left' as const),
  }));
  const rows = groups.map(({ scalingConfig, ...group }) => [
    visible(group.nodegroupName),
    statusText(context, group.status),
    String(scalingConfig?.desiredSize ?? '-'),
    String(scalingConfig?.minSize ?? '-'),
    String(scalingConfig?.maxSize ?? '-'),
    visible(group.instanceTypes[0] ?? '-'),
    visible(group.version ?? '-'),
    pairsText(group.labels),
  ]);
  return tableLines(columns, rows);
}

export function updateTable(context: Context, updates: readonly Update[]): string[] {
  const titles = ['BEGUN', 'STATUS', 'TYPE', 'ID', 'WHAT'].map((title) => ({ title }));
  const rows = updates.map(({ id, createdAt, status, type, params, errors }) => [
    createdAt === undefined ? '-' : timeText(createdAt),
    statusText(context, status),
    visible(type),
    visible(id),
    visible(
      [
        ...params.map((param) => `${param.type} ${param.value}`),
        ...errors.map(({ errorCode, errorMessage }) => `${errorCode}: ${errorMessage}`),
      ].join(', '),
    ),
  ]);
  return tableLines(titles, rows);
}

/** Returns a line for each defined property. The properties of nested objects are indented. */
export function memberLines(value: object, indent = ''): string[] {
  const lines: string[] = [];
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const label = `${indent}${name}`;
    if (member === undefined) continue;
    if (Array.isArray(member)) lines.push(...listLines(label, member, indent));
    else if (typeof member !== 'object' || member === null)
      lines.push(`${label}: ${plainText(name, member)}`);
    else {
      const inner = memberLines(member, `${indent}  `);
      lines.push(inner.length === 0 ? `${label}: -` : `${label}:`, ...inner);
    }
  }
  return lines;
}

function plainText(name: string, value: unknown): string {
  if (typeof value === 'number' && TIMES.has(name)) return timeText(value);
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}

const TIMES = new Set(['createdAt', 'modifiedAt']);

function listLines(label: string, members: readonly unknown[], indent: string): string[] {
  if (members.length === 0) return [`${label}: -`];
  const isPlain = members.every((each) => typeof each !== 'object');
  if (isPlain) return [`${label}: ${visible(members.join(', '))}`];
  return [`${label}:`, ...members.map((each) => `${indent}  - ${visible(JSON.stringify(each))}`)];
}

function pairsText(pairs: Readonly<Record<string, string>>): string {
  const texts = Object.entries(pairs).map(([key, value]) => `${key}=${value}`);
  return visible(texts.join(' ')) || '-';
}
