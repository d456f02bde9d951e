/**
 * A model of the table of held changes: a map from object keys to changes and to the decisions of
 * the user.
 */

import assert from 'node:assert/strict';

import { defined } from '../../src/base/defined.ts';
import type { ExpectedHead, Hold } from '../../src/mirror/model/hold.ts';
import type { LocalEntry } from '../../src/mirror/model/types.ts';
import type { HeldChanges } from '../../src/mirror/state/held-changes.ts';

interface HeldOverwrite {
  readonly key: string;
  readonly head: ExpectedHead | undefined;
  readonly entry: LocalEntry;
  readonly sha256: string;
  readonly why: string;
}

interface Held {
  readonly change: 'delete' | 'overwrite' | 'rename';
  readonly state: Hold['state'];
  readonly head: ExpectedHead | undefined;
  readonly approval?: string;
  readonly content?: HeldOverwrite;
  readonly movedFrom?: string | undefined;
}

const isSame = (a: ExpectedHead | undefined, b: ExpectedHead | undefined) =>
  a?.etag === b?.etag && a?.versionId === b?.versionId;

export class HeldModel {
  readonly #held = new Map<string, Held>();
  /** Review lists by digest. Two different lists must not have the same digest. */
  readonly #shown = new Map<string, string>();

  holdDelete(key: string, head: ExpectedHead): void {
    const held = this.#held.get(key);
    if (held?.change === 'delete' && isSame(held.head, head)) return;
    this.#held.set(key, { change: 'delete', state: 'held', head });
  }

  holdOverwrite(content: HeldOverwrite, movedFrom: string | undefined): void {
    const change = movedFrom === undefined ? 'overwrite' : 'rename';
    const { key, head } = content;
    this.#held.set(key, { change, state: 'held', head, content, movedFrom });
  }

  bind(key: string, head: ExpectedHead | undefined): void {
    const held = this.#held.get(key);
    if (!held || held.change === 'delete' || isSame(held.head, head)) return;
    const { approval: _, ...rest } = held;
    const state = held.state === 'approved' ? 'held' : held.state;
    this.#held.set(key, { ...rest, head, state });
  }

  release(key: string): void {
    this.#held.delete(key);
  }

  approve(approval: string): void {
    for (const [key, held] of this.#open())
      this.#held.set(key, { ...held, state: 'approved', approval });
  }

  rejectOverwrites(): void {
    for (const [key, held] of this.#open())
      if (held.change !== 'delete') this.#held.set(key, { ...held, state: 'rejected' });
  }

  rejectDeletes(keys: readonly string[]): void {
    for (const [key, { change }] of this.#open()) if (change === 'delete') this.#held.delete(key);
    for (const key of keys)
      this.#held.set(key, { change: 'delete', state: 'rejected', head: undefined });
  }

  releaseRejectedDelete(key: string): void {
    if (this.#rejectedDeletes().includes(key)) this.#held.delete(key);
  }

  /** Compares everything that the table returns with the model. */
  check(table: HeldChanges, keys: readonly string[]): void {
    assert.deepEqual(table.among(keys), this.#holds());
    const open = this.#open();
    const keysOf = (isChosen: (held: Held) => boolean) =>
      open.filter(([, held]) => isChosen(held)).map(([key]) => key);
    assert.deepEqual(
      table.deletes().toSorted(),
      keysOf(({ change }) => change === 'delete'),
    );
    assert.deepEqual(
      table.overwrites().toSorted(),
      keysOf(({ change }) => change !== 'delete'),
    );
    assert.deepEqual(table.rejectedDeletes().toSorted(), this.#rejectedDeletes().toSorted());
    const moves = [...this.#held].filter(
      ([, { change, state }]) => change === 'rename' && state !== 'approved',
    );
    assert.deepEqual(
      table
        .moves()
        .map(({ key }) => key)
        .toSorted(),
      moves.map(([key]) => key).toSorted(),
    );
    this.#checkReview(table, open);
  }

  #checkReview(table: HeldChanges, open: readonly (readonly [string, Held])[]): void {
    const count = (isChosen: (held: Held) => boolean) =>
      [...this.#held.values()].filter(isChosen).length;
    const { deletes, overwrites, renames, rejected, rejectedDeletes } = table.counts();
    const countOf = (wanted: Held['change']) =>
      count(({ change, state }) => state === 'held' && change === wanted);
    assert.deepEqual(
      [deletes, overwrites, renames, rejected, rejectedDeletes],
      [
        countOf('delete'),
        countOf('overwrite'),
        countOf('rename'),
        count(({ change, state }) => state === 'rejected' && change !== 'delete'),
        this.#rejectedDeletes().length,
      ],
    );
    const first = table.page('', 2);
    const second = first.next === undefined ? [] : table.page(first.next, 9).changes;
    const changes = [...first.changes, ...second];
    assert.deepEqual(
      changes.map(({ path, change, why }) => defined({ path, change, why })),
      open.map(([path, { change, content }]) => ({
        path,
        change,
        ...(content && { why: content.why }),
      })),
    );
    assert.equal(first.total, open.length);
    const review = JSON.stringify(
      open.map(([key, { change, head, content }]) => [
        key,
        change,
        head?.etag,
        head?.versionId,
        content?.sha256,
      ]),
    );
    // The user approves a list by its digest, so two different lists must not have the same digest.
    assert.equal(this.#shown.get(first.digest) ?? review, review);
    this.#shown.set(first.digest, review);
  }

  #rejectedDeletes(): string[] {
    return [...this.#held]
      .filter(([, { change, state }]) => state === 'rejected' && change === 'delete')
      .map(([key]) => key);
  }

  /** Returns the changes that still need a decision of the user, sorted by key. */
  #open(): (readonly [string, Held])[] {
    return [...this.#held]
      .filter(([, { state }]) => state === 'held')
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /**
   * Returns the held changes in the form that the planner reads. A held rename also holds the key
   * of the old name.
   */
  #holds(): ReadonlyMap<string, Hold> {
    const holds = new Map<string, Hold>();
    for (const [key, { change, state, head, approval, content }] of this.#held)
      holds.set(key, {
        change: change === 'delete' ? 'delete' : 'overwrite',
        state,
        ...(head && { head }),
        ...(approval !== undefined && { approval }),
        ...(content && { entry: content.entry, sha256: content.sha256 }),
      });
    for (const { movedFrom, state } of this.#held.values())
      if (movedFrom !== undefined && state !== 'approved')
        holds.set(movedFrom, { change: 'renamed away', state: 'held' });
    return holds;
  }
}
