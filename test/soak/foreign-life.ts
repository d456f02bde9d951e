/** Somebody else who writes where the mirror does, by another key: puts over its objects, new ones, and markers. */

import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { sha256 } from '../helpers/tree.ts';
import type { Dice } from './dice.ts';
import type { History } from './history.ts';
import { BUCKET } from './machines.ts';

/** A service that is down is not waited for longer: the next deed may find it up again. */
const PATIENCE_MS = 3_000;
const OWN_KEYS = 8;

export interface Acknowledged {
  readonly key: string;
  readonly versionId: string;
  readonly sha256: string;
}

export class ForeignLife {
  readonly acknowledged: Acknowledged[] = [];
  readonly #store: ObjectStore;
  readonly #dice: Dice;
  readonly #history: History;
  #count = 0;

  constructor(store: ObjectStore, dice: Dice, history: History) {
    this.#store = store;
    this.#dice = dice;
    this.#history = history;
  }

  /** One deed. Without an answer it may have been done or not. */
  async step(keysOfFolder: readonly string[]): Promise<void> {
    const deed = this.#dice.weighed({ 'put over': 6, 'put new': 2, delete: 3 });
    const own = `theirs/${this.#dice.below(OWN_KEYS)}`;
    const key = deed === 'put new' ? own : (this.#dice.pick(keysOfFolder) ?? own);
    if (deed === 'delete') await this.#try(deed, key, () => this.#delete(key));
    else await this.put(key);
  }

  async put(key: string): Promise<void> {
    await this.#try('put', key, () => this.#put(key));
  }

  async #try(deed: string, key: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#history.add('stranger', `${deed} ${JSON.stringify(key)}: ${String(error)}`);
    }
  }

  async #put(key: string): Promise<void> {
    const text = `theirs ${(this.#count += 1)}\n`.repeat(1 + this.#dice.below(300));
    const request = { bucket: BUCKET, key, body: bytesBody(text) };
    const { versionId = '' } = await this.#store.putObject(request, options());
    this.acknowledged.push({ key, versionId, sha256: sha256(Buffer.from(text)) });
    this.#history.add('stranger', `put ${JSON.stringify(key)} as ${versionId}`);
  }

  async #delete(key: string): Promise<void> {
    const { versionId } = await this.#store.deleteObject({ bucket: BUCKET, key }, options());
    this.#history.add('stranger', `delete ${JSON.stringify(key)} as ${versionId}`);
  }
}

const options = () => ({ signal: AbortSignal.timeout(PATIENCE_MS) });
