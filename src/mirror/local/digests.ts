/** Digests of files that one of several jobs has made, for the others: valid for a file in the very same state. */

import type { BigIntStats } from 'node:fs';

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

  /** Others wait until what is returned is called. */
  announce(stats: BigIntStats): (digest: Digest | undefined) => void {
    const state = stateOf(stats);
    const { promise, resolve } = Promise.withResolvers<Digest | undefined>();
    this.#underWay.set(state, promise);
    return (digest) => {
      if (this.#underWay.get(state) === promise) this.#underWay.delete(state);
      resolve(digest);
    };
  }

  note(stats: BigIntStats, digest: Digest): void {
    this.#known.set(stateOf(stats), digest);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** What `sameState` compares. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
