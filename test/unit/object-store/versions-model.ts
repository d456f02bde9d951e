/** What versioning does, said a second time and without a store: the measure for the engine. */

import type { Versioning } from '../../../src/object-store/buckets.ts';

export interface ModelVersion {
  readonly versionId: string;
  /** Undefined for a delete marker. */
  readonly content: string | undefined;
}

/** The versions of each key, newest first. */
export class VersionsModel {
  versioning: Versioning | undefined;
  readonly #versions = new Map<string, ModelVersion[]>();

  of(key: string): readonly ModelVersion[] {
    return this.#versions.get(key) ?? [];
  }

  /** The version so many below the newest, else the null version, if there is one. */
  pick(key: string, index: number): ModelVersion | undefined {
    return this.of(key)[index] ?? this.of(key).find(({ versionId }) => versionId === 'null');
  }

  /** The content that a reader of the key gets. */
  current(key: string): string | undefined {
    return this.of(key)[0]?.content;
  }

  /** A put, or with `content` undefined a delete. `newId` is the id that the store gave, if it gave one. */
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

  /** As `listVersions` has it. */
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
