/** Loads the versions of one key, latest first, with their details. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { SortOrder } from '../../widgets/list-model.ts';
import type { Page } from '../../data/row-source.ts';
import { asked } from '../../data/place.ts';
import type { ObjectPlace } from '../../data/place.ts';

export type VersionRow = Result<'versions.list'>['versions'][number];
export type VersionCursor = NonNullable<Result<'versions.list'>['next']>;

const PAGE_ROWS = 1_000;

export const isMarker = ({ kind }: VersionRow): boolean => kind === 'delete-marker';

/** The sort orders. The first one is the order in which the service lists versions: latest first. */
export const VERSION_ORDERS: readonly SortOrder<VersionRow>[] = [
  { name: 'date', compare: (a, b) => b.lastModifiedAt - a.lastModifiedAt },
  { name: 'size', compare: (a, b) => b.sizeBytes - a.sizeBytes },
];

/**
 * Loads a page of the key's versions. S3 lists versions only by prefix, so longer keys with this prefix follow and end
 * the list.
 */
export async function fetchVersions(
  ui: Ui,
  place: ObjectPlace,
  cursor: VersionCursor | undefined,
  signal: AbortSignal,
): Promise<Page<VersionRow, VersionCursor>> {
  const { key, ...bucket } = asked(place);
  const params = defined({ ...bucket, prefix: key, maxKeys: PAGE_ROWS, ...cursor });
  const { versions, next } = await ui.call('versions.list', params, { signal });
  const rows = versions.filter((each) => each.key === key);
  return rows.length < versions.length || !next ? { rows } : { rows, next };
}
