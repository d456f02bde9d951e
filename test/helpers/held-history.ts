/**
 * Runs one job through random steps and checks how it treats changes that are held for review. The checks compare the
 * folder, the bucket, the review list and the user's decisions. They do not depend on the planner.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect } from 'vitest';

import type { Mirror } from '../../src/mirror/mirror.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { encrypt } from './attacks.ts';
import type { MirrorBench } from './mirror-bench.ts';
import { textOf } from './sample-files.ts';
import type { ShiftedClock } from './shifted-clock.ts';
import { until } from './until.ts';

export const KEYS = Array.from({ length: 6 }, (_, index) => `k${index}.txt`);
const EXCLUDED = ['/k0.txt', '/k1.txt'];
/**
 * Number of deletes that the mass-change guard allows in its time window. After these deletes, the
 * guard holds each further delete.
 */
const DONE_BEFORE = Array.from({ length: 50 }, (_, index) => `deleted before ${index}`);
const WINDOW_OVER_MS = 11 * 60_000;

type Local = 'plain' | 'encrypted' | 'missing';

interface Held {
  /**
   * ETag of the current version when the change was held. The job must not change this version.
   * Undefined if the object does not exist.
   */
  head: string | undefined;
  /** State of the local file when its change was held. */
  local: Local;
  isRejected: boolean;
}

interface Reviewed {
  readonly key: string;
  readonly etag: string | null;
  readonly change: 'delete' | 'overwrite';
}

export class HeldHistory {
  /** Number of checked paths, summed over all steps. */
  judged = 0;
  readonly #bench: MirrorBench;
  readonly #clock: ShiftedClock;
  readonly #prefix: string;
  readonly #root: string;
  readonly #held = new Map<string, Held>();
  readonly #local = new Map<string, Local>();
  /**
   * Paths whose object another client has deleted. The job uploads such an object again, but only
   * once a day.
   */
  readonly #takenAway = new Set<string>();
  #mirror: Mirror | undefined;
  #exclude: readonly string[] = [];
  #count = 0;

  constructor(bench: MirrorBench, clock: ShiftedClock, number: number) {
    this.#bench = bench;
    this.#clock = clock;
    this.#prefix = `h${number}/`;
    this.#root = join(bench.home, `root-${number}`);
  }

  async begin(): Promise<void> {
    mkdirSync(this.#root);
    writeFileSync(join(this.#root, 'stays'), 'so that the folder is never empty');
    for (const key of KEYS) this.#write(key);
    await this.restart();
    await this.#job.settled();
  }

  async end(): Promise<void> {
    await this.#mirror?.close();
    rmSync(join(this.#bench.home, 'state'), { recursive: true });
  }

  /** Opens the job again and fills the time window of the mass-change guard with deletes. */
  async restart(exclude: 'exclude' | 'include' = 'include'): Promise<void> {
    await this.#mirror?.close();
    const dir = join(this.#bench.home, 'state');
    mkdirSync(dir, { recursive: true });
    const state = openStateFile(join(dir, 'state.sqlite'));
    state.countedDeletes.add(DONE_BEFORE, this.#clock.now());
    state.close();
    this.#exclude = exclude === 'exclude' ? EXCLUDED : [];
    this.#mirror = await this.#bench.open({
      root: this.#root,
      prefix: this.#prefix,
      exclude: this.#exclude,
    });
  }

  delete(keys: readonly string[]): void {
    for (const key of keys) this.#note(key, 'missing');
    for (const key of keys) rmSync(join(this.#root, key), { force: true });
  }

  write(keys: readonly string[]): void {
    for (const key of keys) this.#write(key);
  }

  encrypt(keys: readonly string[]): void {
    for (const key of keys) {
      this.#note(key, 'encrypted');
      writeFileSync(join(this.#root, key), encrypt(textOf(++this.#count, 5_000)));
    }
  }

  addFiles(): void {
    for (let file = 0; file < 5; file++)
      writeFileSync(join(this.#root, `more ${++this.#count}`), 'more');
  }

  async writeForeign(keys: readonly string[]): Promise<void> {
    for (const key of keys)
      await this.#bench.writeForeign(this.#prefix + key, `theirs ${++this.#count}`);
    await this.#expectHeads(keys);
  }

  async deleteForeign(keys: readonly string[]): Promise<void> {
    const { store, bucket } = this.#bench;
    for (const key of keys) {
      this.#takenAway.add(key);
      await store.deleteObject({ bucket, key: this.#prefix + key });
    }
    await this.#expectHeads(keys);
  }

  /**
   * Approves all held changes. The job may then perform only those changes whose reviewed version
   * is still current.
   */
  approve(): void {
    const approved = this.#reviewed();
    const { heldChanges } = this.#job;
    heldChanges.approve(heldChanges.review({ limit: 1 }).digest);
    for (const { key, etag } of approved) {
      const held = this.#held.get(key);
      if (held && (held.head ?? null) === etag) this.#held.delete(key);
    }
  }

  reject(): void {
    const rejected = this.#reviewed();
    this.#job.heldChanges.reject();
    for (const { key, change } of rejected) {
      const held = this.#held.get(key);
      // If the user rejects the overwrite of an object and then deletes the file, the delete is a
      // new change.
      if (change === 'overwrite' && held?.local === 'missing') this.#held.delete(key);
      else if (held) held.isRejected = true;
    }
  }

  pause(): void {
    this.#job.pause();
  }

  resume(): void {
    this.#job.resume();
  }

  windowOver(): void {
    this.#clock.putForward(WINDOW_OVER_MS);
  }

  async takeOver(): Promise<void> {
    await this.#job.ownership.takeOver(AbortSignal.timeout(10_000));
  }

  /** Runs a sync round that lists the bucket. */
  async fullRound(): Promise<void> {
    this.resume();
    await this.#job.runNow();
  }

  async urgentRound(): Promise<void> {
    this.resume();
    await this.#job.settled();
    await this.#judgeFiles();
  }

  /**
   * Creates a file and waits for its object. When the object exists, an event round has scanned the
   * folder.
   */
  async eventRound(): Promise<void> {
    this.resume();
    const name = `event ${++this.#count}`;
    writeFileSync(join(this.#root, name), name);
    await until(
      () => this.#heads(),
      (heads) => heads.has(name),
    );
  }

  /** Checks after each step that a path with a held change has no new version. */
  async judge(step: string): Promise<void> {
    const heads = await this.#heads();
    for (const [key, { head }] of this.#held) {
      this.judged++;
      expect({ step, key, head: heads.get(key) }).toEqual({ step, key, head });
    }
    for (const { key, change } of this.#reviewed()) {
      const local = this.#local.get(key);
      // If this condition is false, no sync round has seen the change of the file yet.
      const isSeen = local === (change === 'delete' ? 'missing' : 'encrypted');
      if (local !== undefined && isSeen && !this.#held.has(key))
        this.#held.set(key, { head: heads.get(key), local, isRejected: false });
    }
  }

  /** Checks that each file has an object, unless the file is encrypted or excluded. */
  async #judgeFiles(): Promise<void> {
    const heads = await this.#heads();
    const isDue = (key: string) =>
      this.#local.get(key) === 'plain' &&
      !this.#takenAway.has(key) &&
      !this.#exclude.includes(`/${key}`);
    expect(KEYS.filter((key) => isDue(key) && !heads.has(key))).toEqual([]);
  }

  get #job(): Mirror {
    if (!this.#mirror) throw new Error('the job is not open');
    return this.#mirror;
  }

  #write(key: string): void {
    this.#note(key, 'plain');
    writeFileSync(join(this.#root, key), textOf(++this.#count, 5_000));
  }

  /**
   * Records the state of a file before it changes. A change is no longer held if the file reappears
   * or its content is no longer encrypted.
   */
  #note(key: string, local: Local): void {
    this.#local.set(key, local);
    const held = this.#held.get(key);
    if (!held) return;
    if (local === held.local && local === 'missing') return;
    const isBack = local === 'plain' || held.local === 'missing';
    if (isBack || (held.isRejected && local === 'missing')) this.#held.delete(key);
    else held.local = local;
  }

  async #expectHeads(keys: readonly string[]): Promise<void> {
    const heads = await this.#heads();
    for (const key of keys) {
      const held = this.#held.get(key);
      if (held) held.head = heads.get(key);
    }
  }

  /** Returns the ETags of the current versions by path. */
  async #heads(): Promise<ReadonlyMap<string, string>> {
    const { store, bucket } = this.#bench;
    const { objects } = await store.listObjects({ bucket, prefix: this.#prefix });
    return new Map(objects.map(({ key, etag }) => [key.slice(this.#prefix.length), etag]));
  }

  /**
   * Returns the held changes. Each has the ETag of the version that the user reviews, or null if
   * the object does not exist.
   */
  #reviewed(): readonly Reviewed[] {
    const db = new Database(join(this.#bench.home, 'state', 'state.sqlite'), { readonly: true });
    const rows = db
      .prepare(
        `SELECT key, etag, iif(change = 'delete', 'delete', 'overwrite') AS change
           FROM held_changes WHERE state = 'held'`,
      )
      .all() as Reviewed[];
    db.close();
    return rows.filter(({ key }) => KEYS.includes(key));
  }
}
