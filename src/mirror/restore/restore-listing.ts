/** Which version of each key belongs to a tree: the current one, or the newest at a time. */

import type {
  ListedVersion,
  ObjectReader,
  VersionReader,
} from '../../object-store/object-store.ts';

export interface StoredObject {
  readonly key: string;
  /** Absent for the current version. */
  readonly versionId?: string;
  readonly sizeBytes: number;
}

export interface ListingOptions {
  readonly store: ObjectReader & VersionReader;
  readonly bucket: string;
  readonly prefix: string;
  /** Milliseconds since 1970 by the service's clock; absent for now. */
  readonly at?: number;
  readonly signal?: AbortSignal;
}

/** In key order. A key whose newest version by then is a delete marker is not there. */
export function listTree(options: ListingOptions): AsyncGenerator<StoredObject, void> {
  return options.at === undefined ? listHeads(options) : listVersionsAt(options, options.at);
}

async function* listHeads(options: ListingOptions): AsyncGenerator<StoredObject, void> {
  const { store, bucket, prefix, signal } = options;
  let continuationToken: string | undefined;
  do {
    const page = await store.listObjects(
      { bucket, prefix, ...(continuationToken !== undefined && { continuationToken }) },
      callOptions(signal),
    );
    for (const { key, sizeBytes } of page.objects) yield { key, sizeBytes };
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
}

async function* listVersionsAt(
  options: ListingOptions,
  at: number,
): AsyncGenerator<StoredObject, void> {
  let decided: string | undefined;
  // A key's versions come newest first, in the service's own order: the first one by then is it.
  for await (const version of allVersions(options)) {
    if (version.key === decided || version.lastModifiedAt > at) continue;
    decided = version.key;
    const { kind, key, versionId, sizeBytes } = version;
    if (kind === 'version') yield { key, versionId, sizeBytes };
  }
}

async function* allVersions(options: ListingOptions): AsyncGenerator<ListedVersion, void> {
  const { store, bucket, prefix, signal } = options;
  let next: { readonly keyMarker: string; readonly versionIdMarker?: string } | undefined;
  do {
    const page = await store.listVersions({ bucket, prefix, ...next }, callOptions(signal));
    yield* page.versions;
    next = page.next;
  } while (next !== undefined);
}

function callOptions(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
