/**
 * Shares digests of files between jobs with the same folder. A digest is valid while the file's stats are the
 * same and no event for the file arrives. The stats alone are not enough: the file system sets a file's times
 * when a write begins, not when it ends.
 */

import { type BigIntStats, lstatSync } from 'node:fs';

/** Maximum number of digests; they use about 3 MB of memory. */
const MAX_DIGESTS = 10_000;

export interface Digest {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Measured content facts, as written by `writeFacts`. */
  readonly facts: string;
}

export class Digests {
  /** Digests by the state of the file (`stateOf`), oldest first. */
  readonly #known = new Map<string, Digest>();
  readonly #underWay = new Map<string, Promise<Digest | undefined>>();

  find(stats: BigIntStats): Digest | undefined {
    return this.#known.get(stateOf(stats));
  }

  /**
   * Returns the digest of a file that another job is reading now, as soon as it is read; undefined if no job
   * reads it. Never rejects.
   */
  readElsewhere(stats: BigIntStats): Promise<Digest | undefined> | undefined {
    return this.#underWay.get(stateOf(stats));
  }

  /**
   * Announces that the caller is reading the file. Other jobs wait until it calls the returned function, with
   * the digest or with undefined on failure.
   */
  announce(stats: BigIntStats): (digest: Digest | undefined) => void {
    const state = stateOf(stats);
    const { promise, resolve } = Promise.withResolvers<Digest | undefined>();
    this.#underWay.set(state, promise);
    return (digest) => {
      const isCurrent = this.#underWay.get(state) === promise;
      if (isCurrent) this.#underWay.delete(state);
      if (isCurrent && digest) this.note(stats, digest);
      resolve(isCurrent ? digest : undefined);
    };
  }

  /** Discards the digest of the changed file at this path, including that of a read in progress. */
  forget(path: string): void {
    const stats = tryLstat(path);
    if (!stats) return;
    const state = stateOf(stats);
    this.#known.delete(state);
    this.#underWay.delete(state);
  }

  /** Discards all digests, because any file may have changed. */
  clear(): void {
    this.#known.clear();
    this.#underWay.clear();
  }

  note(stats: BigIntStats, digest: Digest): void {
    this.#known.set(stateOf(stats), digest);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_DIGESTS && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Returns the result of lstat; undefined if the path does not exist or cannot be read. */
function tryLstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns a text for the state of a file, from the fields that `sameState` compares. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
