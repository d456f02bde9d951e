/** Lists the objects and versions below a prefix, for actions on whole folders. */

import type { Result } from '../../src/control/messages.ts';
import type { Ui } from '../ui/ui.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import { numberText } from '../../src/text/amounts.ts';

/** The maximum number of rows in a page, and of objects that one request deletes. */
export const PAGE_ROWS = 1_000;
/** The maximum number of objects that an action holds in memory, which takes about 20 MB. */
const MOST_OBJECTS = 100_000;

export interface Listed {
  readonly key: string;
  readonly sizeBytes: number;
}

export type ListedVersion = Result<'versions.list'>['versions'][number];

/** Yields the current objects below a prefix, page by page. */
export async function* pagesBelow(
  ui: Ui,
  place: BucketPlace,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Listed[], void> {
  let token: string | undefined;
  do {
    signal.throwIfAborted();
    const from = token === undefined ? {} : { continuationToken: token };
    const params = { ...asked(place), prefix, maxKeys: PAGE_ROWS, ...from };
    const { objects, nextToken } = await ui.call('objects.list', params, { signal });
    if (objects.length > 0) yield objects;
    token = nextToken;
  } while (token !== undefined);
}

/** Yields the versions and delete markers whose keys start with the prefix. For each key, the newest is first. */
export async function* versionsBelow(
  ui: Ui,
  place: BucketPlace,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<ListedVersion, void> {
  let from: Result<'versions.list'>['next'];
  do {
    signal.throwIfAborted();
    const params = { ...asked(place), prefix, maxKeys: PAGE_ROWS, ...from };
    const { versions, next } = await ui.call('versions.list', params, { signal });
    yield* versions;
    from = next;
  } while (from !== undefined);
}

/** Returns the current objects below the folders. Throws if there are too many for one action. */
export function listBelow(
  ui: Ui,
  place: BucketPlace,
  folders: readonly string[],
): Promise<readonly Listed[]> {
  return ui.work('counting', async (work) => {
    const found: Listed[] = [];
    for (const prefix of folders) {
      for await (const page of pagesBelow(ui, place, prefix, work.abort.signal)) {
        found.push(...page);
        if (found.length > MOST_OBJECTS)
          throw new Error(`choose smaller folders: at most ${numberText(MOST_OBJECTS)} objects`);
        work.progress = numberText(found.length);
        ui.changes.soon();
      }
    }
    return found;
  });
}
