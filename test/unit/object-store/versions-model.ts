/** A simple model of versioning, which tests compare with the store. */

import type { Versioning } from '../../../src/object-store/buckets.ts';

export interface ModelVersion {
  readonly versionId: string;
  /** The content of the version. Undefined for a delete marker. */
  readonly content: string | undefined;
}

/** Keeps the versions of each key, newest first. */
export class VersionsModel {
  versioning: Versioning | undefined;
  readonly #versions = new Map<string, ModelVersion[]>();

  of(key: string): readonly ModelVersion[] {
    return this.#versions.get(key) ?? [];
  }

  /**
   * Returns the version with the index (0 is the newest), or else the null version if it exists.
   */
  pick(key: string, index: number): ModelVersion | undefined {
    return this.of(key)[index] ?? this.of(key).find(({ versionId }) => versionId === 'null');
  }

  /**
   * Returns the content of the current version. Undefined if the key has no version or its current
   * version is a delete marker.
   */
  current(key: string): string | undefined {
    return this.of(key)[0]?.content;
  }

  /**
   * Applies a put, or a delete if `content` is undefined. `newId` is the version id that the store
   * returned, if any.
   */
  write(key: string, content: string | undefined, newId: string | undefined): void {
    const versionId = this.versioning === 'Enabled' ? String(newId) : 'null';
    if (versionId === 'null') this.remove(key, 'null');
    if (content === undefined && this.versioning === undefined) return;
    this.#versions.set(key, [{ versionId, content }, ...this.of(key)]);
  }

  remove(key: string, versionId: string): void {
    this.#versions.set(
      key,
      this.of(key).filter((each) => each.versionId !== versionId),
    );
  }

  /** Returns the versions in the format of `listVersions`. */
  listed(): object[] {
    const keys = [...this.#versions.keys()].sort();
    return keys.flatMap((key) =>
      this.of(key).map(({ versionId, content }, index) => ({
        key,
        versionId,
        kind: content === undefined ? 'delete-marker' : 'version',
        isLatest: index === 0,
      })),
    );
  }
}
