/**
 * Lists the bucket repeatedly during a soak run. Once a version is listed, it must stay, and its lock must never become
 * shorter.
 */

import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { Dice } from './dice.ts';
import { describeVersions, listVersions, type Version } from './versions.ts';

/**
 * The number of versions whose lock is read after each listing. HEAD requests for all versions would cause most of the
 * load.
 */
const LOCKS_A_LOOK = 30;

export class Witness {
  readonly #store: ObjectStore;
  readonly #dice: Dice;
  readonly #seen = new Map<string, ListedVersion>();
  /** For each version, the latest retention end that was found, in milliseconds. */
  readonly #locks = new Map<string, number>();
  readonly #findings: string[] = [];

  constructor(store: ObjectStore, dice: Dice) {
    this.#store = store;
    this.#dice = dice;
  }

  async look(): Promise<void> {
    const listed = await listVersions(this.#store);
    for (const version of listed) this.#seen.set(nameOf(version), version);
    const some = Array.from({ length: LOCKS_A_LOOK }, () => this.#dice.pick(listed));
    const versions = some.filter((version) => version !== undefined);
    this.#seeLocks(await describeVersions(this.#store, versions));
  }

  #seeLocks(versions: readonly Version[]): void {
    for (const version of versions) {
      const name = nameOf(version);
      const before = this.#locks.get(name);
      const until = version.retention?.retainUntil;
      if (before !== undefined && (until ?? 0) < before)
        this.#findings.push(`lock of ${name}: was ${before}, is ${until ?? 'gone'}`);
      if (until !== undefined) this.#locks.set(name, until);
    }
  }

  /** Compares all versions at the end of the run with the versions that were listed before. Returns the differences. */
  judge(versions: readonly Version[]): readonly string[] {
    this.#seeLocks(versions);
    const now = new Map(versions.map((version) => [nameOf(version), version]));
    for (const [name, { kind, etag, sizeBytes, lastModifiedAt }] of this.#seen) {
      const version = now.get(name);
      const isSame =
        version?.kind === kind &&
        version.etag === etag &&
        version.sizeBytes === sizeBytes &&
        version.lastModifiedAt === lastModifiedAt;
      if (!isSame)
        this.#findings.push(
          `version ${name}: was listed, and ${version ? 'has changed' : 'is missing'}`,
        );
    }
    return this.#findings;
  }
}

function nameOf({ key, versionId }: Pick<ListedVersion, 'key' | 'versionId'>): string {
  return `${JSON.stringify(key)} ${versionId}`;
}
