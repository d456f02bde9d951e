/**
 * Digests of files that one of several jobs has made, for the others: valid for a file in the very same state, until
 * something happens to it. A file's times are set as a write begins, so that they do not tell of its end.
 */

import { type BigIntStats, lstatSync } from 'node:fs';

/** Some 3 MB. */
const REMEMBERED = 10_000;

export interface Digest {
  /** Lower-case hex. */
  readonly sha256: string;
  /** What the content looks like, as `writeFacts` says it. */
  readonly facts: string;
}

export class Digests {
  /** By state, the oldest first. */
  readonly #known = new Map<string, Digest>();
  readonly #underWay = new Map<string, Promise<Digest | undefined>>();

  find(stats: BigIntStats): Digest | undefined {
    return this.#known.get(stateOf(stats));
  }

  /** Of what somebody else is reading now, when it is read; undefined for nobody. Never rejects. */
  awaited(stats: BigIntStats): Promise<Digest | undefined> | undefined {
    return this.#underWay.get(stateOf(stats));
  }

  /** Others wait until what is returned is called, with what was read if it was. */
  announce(stats: BigIntStats): (digest: Digest | undefined) => void {
    const state = stateOf(stats);
    const { promise, resolve } = Promise.withResolvers<Digest | undefined>();
    this.#underWay.set(state, promise);
    return (digest) => {
      const stands = this.#underWay.get(state) === promise;
      if (stands) this.#underWay.delete(state);
      if (stands && digest) this.note(stats, digest);
      resolve(stands ? digest : undefined);
    };
  }

  /** Something happened to the file at this path: what was read before, or is being read, is for nobody else. */
  forget(path: string): void {
    const stats = lookAt(path);
    if (!stats) return;
    const state = stateOf(stats);
    this.#known.delete(state);
    this.#underWay.delete(state);
  }

  /** Something may have happened to any file. */
  clear(): void {
    this.#known.clear();
    this.#underWay.clear();
  }

  note(stats: BigIntStats, digest: Digest): void {
    this.#known.set(stateOf(stats), digest);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Undefined for what is not there, and for what may not be looked at. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What `sameState` compares. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
