/**
 * Shares file digests between jobs with the same folder. A digest is valid as long as the file's stats are the same and
 * no event arrives for the file. The stats alone are not enough, because the file system sets a file's times when a
 * write begins, not when it ends.
 */

import { type BigIntStats, lstatSync } from 'node:fs';

/** Maximum number of stored digests. They use about 3 MB of memory. */
const MAX_DIGESTS = 10_000;

export interface Digest {
  /** SHA-256 of the file's content in lower-case hex. */
  readonly sha256: string;
  /** Statistics about the content, in the format of `writeFacts`. */
  readonly facts: string;
}

export class Digests {
  /** Digests by file state (see `stateOf`), oldest first. */
  readonly #known = new Map<string, Digest>();
  readonly #underWay = new Map<string, Promise<Digest | undefined>>();

  find(stats: BigIntStats): Digest | undefined {
    return this.#known.get(stateOf(stats));
  }

  /**
   * Waits for another job that is reading the file now, and returns its digest. Returns undefined if no job is reading
   * the file. Never rejects.
   */
  readElsewhere(stats: BigIntStats): Promise<Digest | undefined> | undefined {
    return this.#underWay.get(stateOf(stats));
  }

  /**
   * Announces that the caller is reading the file. Other jobs wait until the caller passes the digest, or undefined
   * after a failure, to the returned function.
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

  /** Discards the digest of the changed file at this path, even if the file is still being read. */
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

/** Returns the lstat result; undefined if the path does not exist or cannot be read. */
function tryLstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns a text that identifies a file's state, from the fields that `sameState` compares. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
