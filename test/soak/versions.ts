/** Reads all versions in the bucket with their metadata. All checks of the soak test use only this list. */

import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { ObjectStore, Retention } from '../../src/object-store/object-store.ts';
import { inTurn } from './in-turn.ts';
import { BUCKET } from './machines.ts';

/** Returns whether the key is one of the job's own objects below `.holdfast/`. */
export function isReserved(key: string): boolean {
  return key.startsWith('.holdfast/');
}

export interface Version extends ListedVersion {
  /**
   * The id of the entry in the upload journal, from the metadata of a version that the job wrote. A delete marker has
   * no such id.
   */
  readonly journalId?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly retention?: Retention;
}

/** Lists all versions by key, newest first, in the order of the service. Skips keys below `.holdfast/`. */
export async function listVersions(store: ObjectStore): Promise<ListedVersion[]> {
  const listed: ListedVersion[] = [];
  let next: { readonly keyMarker: string; readonly versionIdMarker?: string } | undefined;
  do {
    const page = await store.listVersions({ bucket: BUCKET, ...next });
    listed.push(...page.versions.filter(({ key }) => !isReserved(key)));
    next = page.next;
  } while (next !== undefined);
  return listed;
}

/** Reads the metadata of each version. */
export function describeVersions(
  store: ObjectStore,
  listed: readonly ListedVersion[],
): Promise<Version[]> {
  return inTurn(listed, async (version) => {
    if (version.kind === 'delete-marker') return { ...version, metadata: {} };
    const { key, versionId } = version;
    const { info } = await store.headObject({ bucket: BUCKET, key, versionId });
    const { metadata = {}, retention } = info;
    const journalId = metadata['holdfast-journal'];
    return {
      ...version,
      metadata,
      ...(journalId !== undefined && { journalId }),
      ...(retention && { retention }),
    };
  });
}

export async function readVersions(store: ObjectStore): Promise<Version[]> {
  return describeVersions(store, await listVersions(store));
}

/** Describes one of the job's versions by its metadata, in the same format as `keysOf`. */
export function describeHead({ metadata }: Version): string {
  const { 'holdfast-type': kind, 'holdfast-mode': mode, 'holdfast-sha256': sum } = metadata;
  if (kind === 'directory') return `directory ${mode}`;
  if (kind === 'symlink') return `symlink ${sum}`;
  return `${kind} ${mode} ${metadata['holdfast-mtime']?.replace('.', '')} ${sum}`;
}

export function byKey<T extends { readonly key: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(each.key);
    if (group) group.push(each);
    else groups.set(each.key, [each]);
  }
  return groups;
}
