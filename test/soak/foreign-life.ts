/** Another client with its own access key. It overwrites, adds and deletes objects in the job's bucket. */

import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { sha256 } from '../helpers/tree.ts';
import type { Dice } from './dice.ts';
import type { History } from './history.ts';
import { BUCKET } from './machines.ts';

/** The maximum wait for a response, in milliseconds. The service may be down, and a later request may succeed. */
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
  /**
   * For each key, the SHA-256 of the last PUT, or `nothing` after a delete. Undefined if the service may still execute
   * a request that got no response.
   */
  readonly #last = new Map<string, string | undefined>();
  #turn = Promise.resolve();
  #count = 0;

  constructor(store: ObjectStore, dice: Dice, history: History) {
    this.#store = store;
    this.#dice = dice;
    this.#history = history;
  }

  /** Makes a random change. Without a response, the change may or may not have taken effect. */
  async step(keysOfFolder: readonly string[]): Promise<void> {
    const deed = this.#dice.weighed({ 'put over': 6, 'put new': 2, delete: 3 });
    const own = `theirs/${this.#dice.below(OWN_KEYS)}`;
    const key = deed === 'put new' ? own : (this.#dice.pick(keysOfFolder) ?? own);
    if (deed === 'delete') await this.#inTurn(deed, key, () => this.#delete(key));
    else await this.put(key);
  }

  async put(key: string): Promise<void> {
    await this.#inTurn('put', key, () => this.#put(key));
  }

  /**
   * Returns the SHA-256 of the last PUT for each key that only the job can have changed since then. The job must have
   * saved such an object before it changed the key.
   */
  lastContents(): ReadonlyMap<string, string> {
    const known = [...this.#last].flatMap(([key, content]) =>
      content === undefined || content === NOTHING ? [] : [[key, content] as const],
    );
    return new Map(known);
  }

  /** Runs the changes one after the other, so that the order of two changes to the same key is known. */
  async #inTurn(deed: string, key: string, act: () => Promise<string>): Promise<void> {
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    this.#turn = turn.promise;
    await before;
    const isSure = !this.#last.has(key) || this.#last.get(key) !== undefined;
    this.#last.set(key, undefined);
    try {
      const content = await act();
      if (isSure) this.#last.set(key, content);
    } catch (error) {
      this.#history.add('stranger', `${deed} ${JSON.stringify(key)}: ${String(error)}`);
    } finally {
      turn.resolve();
    }
  }

  async #put(key: string): Promise<string> {
    const text = `theirs ${(this.#count += 1)}\n`.repeat(1 + this.#dice.below(300));
    const request = { bucket: BUCKET, key, body: bytesBody(text) };
    const { versionId = 'null' } = await this.#store.putObject(request, options());
    const content = sha256(Buffer.from(text));
    this.acknowledged.push({ key, versionId, sha256: content });
    this.#history.add('stranger', `put ${JSON.stringify(key)} as ${versionId}`);
    return content;
  }

  async #delete(key: string): Promise<string> {
    const { versionId } = await this.#store.deleteObject({ bucket: BUCKET, key }, options());
    this.#history.add('stranger', `delete ${JSON.stringify(key)} as ${versionId}`);
    return NOTHING;
  }
}

const NOTHING = 'nothing';
const options = () => ({ signal: AbortSignal.timeout(PATIENCE_MS) });
