/** Reads all pages of object and version listings. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';

export type ObjectPage = Result<'objects.list'>;
export type VersionPage = Result<'versions.list'>;

export async function* objectPages(
  daemon: ControlClient,
  place: { readonly bucket: string; readonly prefix: string; readonly delimiter?: string },
): AsyncGenerator<ObjectPage, void> {
  let continuationToken: string | undefined;
  do {
    const page = await daemon.call('objects.list', defined({ ...place, continuationToken }));
    yield page;
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
}

export async function* versionPages(
  daemon: ControlClient,
  place: { readonly bucket: string; readonly prefix: string },
): AsyncGenerator<VersionPage, void> {
  let next: VersionPage['next'];
  do {
    const page: VersionPage = await daemon.call('versions.list', { ...place, ...next });
    yield page;
    next = page.next;
  } while (next !== undefined);
}
