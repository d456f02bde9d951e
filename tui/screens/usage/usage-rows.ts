/** The rows and columns of the usage screen: the folders in a bucket by size. */

import type { Result } from '../../../src/control/messages.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { dayText } from '../../../src/text/time.ts';
import { paintedBar, shareBar } from '../../widgets/charts.ts';
import type { SortOrder } from '../../widgets/list-model.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Look } from '../../theme/look.ts';

export type Sizes = Result<'folders.sizes'>;
export type Sums = NonNullable<Sizes['folder']>;

export type UsageRow =
  | { readonly kind: 'up' }
  | { readonly kind: 'folder'; readonly prefix: string; readonly sums: Sums }
  /** The row for all objects outside the listed folders. */
  | { readonly kind: 'rest'; readonly sums: Sums };

export const ORDERS: readonly SortOrder<UsageRow>[] = [
  { name: 'size', compare: byNumber(totalBytes) },
  { name: 'growth in a week', compare: byNumber(({ bytesByAge }) => bytesInAges(bytesByAge, 2)) },
  { name: 'growth in a day', compare: byNumber(({ bytesByAge }) => bytesInAges(bytesByAge, 1)) },
  { name: 'name', compare: (a, b) => rank(a) - rank(b) || (nameOf(a) < nameOf(b) ? -1 : 1) },
  { name: 'objects', compare: byNumber(({ objects }) => objects) },
  { name: 'older versions', compare: byNumber(({ olderBytes }) => olderBytes) },
  { name: 'newest change', compare: byNumber(({ newestAt }) => newestAt) },
];

/** Returns the total size of the first `ages` age groups. The first two groups are up to a day and up to a week. */
function bytesInAges(bytesByAge: readonly number[], ages: number): number {
  return bytesByAge.slice(0, ages).reduce((sum, bytes) => sum + bytes, 0);
}

/** Sorts rows by a number, largest first. The row of the parent folder is always first. */
function byNumber(numberOf: (sums: Sums) => number): SortOrder<UsageRow>['compare'] {
  return (a, b) => {
    if (a.kind === 'up' || b.kind === 'up') return rank(a) - rank(b);
    return numberOf(b.sums) - numberOf(a.sums);
  };
}

function rank({ kind }: UsageRow): number {
  return ['up', 'folder', 'rest'].indexOf(kind);
}

export function totalBytes({ bytes, olderBytes }: Sums): number {
  return bytes + olderBytes;
}

export function nameOf(row: UsageRow): string {
  return row.kind === 'folder' ? row.prefix : row.kind;
}

export function usageRows(sizes: Sizes, prefix: string): UsageRow[] {
  const { folder, folders, moreFolders } = sizes;
  const rest = folder && difference(folder, folders);
  const hasRest = rest && (moreFolders > 0 || countOf(rest) > 0);
  return [
    ...(prefix === '' ? [] : [{ kind: 'up' as const }]),
    ...folders.map(({ prefix: name, ...sums }) => ({
      kind: 'folder' as const,
      prefix: name,
      sums,
    })),
    ...(hasRest ? [{ kind: 'rest' as const, sums: rest }] : []),
  ];
}

function countOf({ objects, olderVersions, deleteMarkers }: Sums): number {
  return objects + olderVersions + deleteMarkers;
}

function difference(all: Sums, parts: readonly Sums[]): Sums {
  const left = { ...all, bytesByAge: [...all.bytesByAge] };
  for (const part of parts) {
    left.objects -= part.objects;
    left.bytes -= part.bytes;
    left.olderVersions -= part.olderVersions;
    left.olderBytes -= part.olderBytes;
    left.deleteMarkers -= part.deleteMarkers;
    left.bytesByAge = left.bytesByAge.map((bytes, age) => bytes - (part.bytesByAge[age] ?? 0));
  }
  // If a listed folder contains the newest object, the newest time outside the folders is unknown.
  const isNewer = parts.some(({ newestAt }) => newestAt === all.newestAt);
  return isNewer ? { ...left, newestAt: 0 } : left;
}

const BAR_CELLS = 12;

/** Returns the columns. `all` is the size of the folder that contains the rows. */
export function usageColumns(all: number, below: string): readonly Column<UsageRow>[] {
  return [
    {
      title: 'NAME',
      width: 'grow',
      cut: 'middle',
      cell: (row, look) => shownName(row, below, look),
      tone: ({ kind }) => (kind === 'folder' ? 'folder' : kind === 'up' ? 'dim' : undefined),
    },
    sumsColumn('SIZE', 8, (sums) => bytesText(totalBytes(sums))),
    {
      title: 'SHARE',
      width: BAR_CELLS,
      drop: 2,
      cell: (row, look, width) =>
        row.kind === 'up' ? '' : shareBar(all === 0 ? 0 : totalBytes(row.sums) / all, width, look),
      paint: (cell, _, look) => paintedBar(cell, 'chart', look),
    },
    sumsColumn('OLDER', 8, ({ olderBytes }) => bytesText(olderBytes), 1),
    sumsColumn('OBJECTS', 9, ({ objects }) => numberText(objects), 3),
    sumsColumn(
      'VERSIONS',
      9,
      ({ objects, olderVersions }) => numberText(objects + olderVersions),
      4,
    ),
    sumsColumn('NEWEST', 10, ({ newestAt }) => (newestAt === 0 ? '' : dayText(newestAt)), 5),
  ];
}

function sumsColumn(
  title: string,
  width: number,
  text: (sums: Sums) => string,
  drop?: number,
): Column<UsageRow> {
  return {
    title,
    width,
    align: 'right',
    ...(drop !== undefined && { drop }),
    cell: (row, look) => (row.kind === 'up' ? '' : text(row.sums) || look.glyphs.none),
  };
}

function shownName(row: UsageRow, below: string, look: Look): string {
  if (row.kind === 'up') return '..';
  return row.kind === 'rest' ? '(objects here)' : look.name(row.prefix.slice(below.length));
}

const AGES = ['up to a day', 'up to a week', 'up to 30 days', 'up to a year', 'older'];

/** Returns the total size of the versions in each age group, one line per group. */
export function ageLines({ bytesByAge }: Sums, columns: number, look: Look): string[] {
  const all = bytesByAge.reduce((sum, bytes) => sum + bytes, 0);
  const width = Math.max(4, Math.min(40, columns - 26));
  return AGES.map((age, index) => {
    const bytes = bytesByAge[index] ?? 0;
    const share = paintedBar(shareBar(all === 0 ? 0 : bytes / all, width, look), 'chart', look);
    return `${look.paint('dim', age.padEnd(13))} ${bytesText(bytes).padStart(8)}  ${share}`;
  });
}
