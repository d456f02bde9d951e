/**
 * Properties of a job's state file. Random writes to the upload journal, the baseline (the last synced state) and the
 * held changes are compared with a model, also after the job is closed or killed. The modules are a parameter, so that
 * mutants can be tested, too.
 */

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';

import type { BaselineEntry } from '../../src/mirror/model/types.ts';
import type { Commits } from '../../src/mirror/state/commits.ts';
import type { JournalRow, JournalTable } from '../../src/mirror/state/journal-table.ts';
import type { migrate } from '../../src/mirror/state/state-schema.ts';
import type { openStateFile, StateFile } from '../../src/mirror/state/state-file.ts';
import { HeldModel } from './held-model.ts';
import { baselineOf, entry } from './plan-cells.ts';

/** Modules under test: the real modules, or those of a mutant. */
export interface StateModules {
  readonly openStateFile: typeof openStateFile;
  readonly migrate: typeof migrate;
  readonly Commits: typeof Commits;
  readonly JournalTable: typeof JournalTable;
}

/** Creates a property of the state file for the real modules or for those of a mutant. */
type StateLaw = (modules: StateModules) => fc.IRawProperty<unknown, true>;

const KEYS = ['a', 'b', 'c/d', 'c/e'];
const KEY = fc.constantFrom(...KEYS);
const HEAD = fc.constantFrom(
  { etag: 'e1' },
  { etag: 'e1', versionId: 'v1' },
  { etag: 'e1', versionId: 'v2' },
  { etag: 'e2', versionId: 'v1' },
);
const CONTENT = fc.constantFrom('one', 'two');
const MAYBE_HEAD = fc.option(HEAD, { nil: undefined });

/** Result of a request, or of work that sends no request. */
const OUTCOME = fc.record({
  key: KEY,
  baseline: fc.constantFrom('write', 'drop', 'keep'),
  /**
   * Selects the unfinished request that ends. If fewer requests are unfinished, the work had no
   * request.
   */
  row: fc.nat(5),
  isConflict: fc.boolean(),
} as const);
type Outcome = typeof OUTCOME extends fc.Arbitrary<infer T> ? T : never;

const REQUEST_STEPS = [
  fc.record({ do: fc.constant('begin'), keys: fc.array(KEY, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant('settle'), outcomes: fc.array(OUTCOME, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('fail to settle'), outcomes: fc.array(OUTCOME, { maxLength: 3 }) }),
  fc.record({ do: fc.constantFrom('close', 'kill') }),
] as const;

const HELD_KEY = fc.constantFrom('a', 'b');
const HELD_STEPS = [
  fc.record({ do: fc.constant('hold delete'), key: HELD_KEY, head: HEAD }),
  fc.record({
    do: fc.constant('hold overwrite'),
    key: HELD_KEY,
    head: MAYBE_HEAD,
    content: CONTENT,
    movedFrom: fc.constantFrom(undefined, 'c/d', 'a'),
  }),
  fc.record({ do: fc.constant('bind'), key: HELD_KEY, head: MAYBE_HEAD }),
  fc.record({ do: fc.constantFrom('approve', 'reject', 'reject deletes') }),
] as const;
const RELEASE = fc.record({
  do: fc.constantFrom('release', 'release rejected delete'),
  key: HELD_KEY,
});

const ANY_STEP = fc.oneof(...REQUEST_STEPS, ...HELD_STEPS, RELEASE);
const HELD_STEP = fc.oneof(
  ...HELD_STEPS.map((arbitrary) => ({ arbitrary, weight: 6 })),
  { arbitrary: RELEASE, weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('close') }), weight: 1 },
);
type Step = typeof ANY_STEP extends fc.Arbitrary<infer T> ? T : never;

/** A state file, and the model of its expected content. */
class Bench {
  readonly #modules: StateModules;
  readonly #folder = mkdtempSync(join(tmpdir(), 'holdfast-state-'));
  readonly #held = new HeldModel();
  readonly #baseline = new Map<string, BaselineEntry>();
  readonly #conflicts: string[] = [];
  #rows: readonly JournalRow[] = [];
  #path = join(this.#folder, '0.sqlite');
  #state: StateFile;
  #count = 0;

  constructor(modules: StateModules) {
    this.#modules = modules;
    this.#state = modules.openStateFile(this.#path);
  }

  remove(): void {
    this.#state.close();
    rmSync(this.#folder, { recursive: true });
  }

  async run(step: Step): Promise<void> {
    const { heldChanges } = this.#state;
    switch (step.do) {
      case 'begin':
        return this.#begin(step.keys);
      case 'settle':
        return this.#state.settle(this.#settlementsOf(step.outcomes, true));
      case 'fail to settle': {
        const broken = { ...baselineOf(entry('g')), kind: 'socket' as 'file' };
        const settlements = this.#settlementsOf(step.outcomes, false);
        assert.throws(() => this.#state.settle([...settlements, { key: 'g', baseline: broken }]));
        return;
      }
      case 'hold delete':
        heldChanges.holdDelete(step.key, step.head);
        return this.#held.holdDelete(step.key, step.head);
      case 'hold overwrite': {
        const { key, head, content: sha256, movedFrom } = step;
        const held = { key, head, sha256, why: `why ${sha256}`, entry: entry(key) };
        heldChanges.holdOverwrite({ ...held, ...(movedFrom !== undefined && { movedFrom }) });
        return this.#held.holdOverwrite(held, movedFrom);
      }
      case 'bind':
        heldChanges.bindOverwrite(step.key, step.head);
        return this.#held.bind(step.key, step.head);
      case 'release':
        heldChanges.release(step.key);
        return this.#held.release(step.key);
      case 'approve': {
        const approval = `approval ${++this.#count}`;
        heldChanges.approve(approval);
        return this.#held.approve(approval);
      }
      case 'reject':
        heldChanges.rejectOverwrites();
        return this.#held.rejectOverwrites();
      case 'reject deletes': {
        const keys = heldChanges.deletes();
        heldChanges.rejectDeletes(keys);
        return this.#held.rejectDeletes(keys);
      }
      case 'release rejected delete':
        heldChanges.releaseRejectedDelete(step.key);
        return this.#held.releaseRejectedDelete(step.key);
      default:
        return this.#reopen(step.do === 'kill');
    }
  }

  /** Compares everything that the state file returns with the model. */
  check(): void {
    const { journal, baseline, conflicts, heldChanges } = this.#state;
    assert.deepEqual(journal.unfinished(), this.#rows);
    for (const key of KEYS) assert.deepEqual(baseline.get(key), this.#baseline.get(key));
    const recorded = KEYS.flatMap((key) => conflicts.of(key)).map(({ id }) => id);
    assert.deepEqual(recorded.toSorted(), this.#conflicts.toSorted());
    this.#held.check(heldChanges, KEYS);
  }

  async #begin(keys: readonly string[]): Promise<void> {
    const rows = keys.map((key): JournalRow => {
      const number = ++this.#count;
      const row = { id: `row ${number}`, key, startedAt: number, expected: 'e1' };
      if (number % 2 === 0) return { ...row, operation: 'delete' };
      const supersedes = { etag: 'theirs', versionId: 'v9' };
      return { ...row, operation: 'put', sha256: 'one', entry: entry(key), supersedes };
    });
    await this.#state.journal.begin(rows.toReversed());
    this.#rows = [...this.#rows, ...rows];
  }

  /**
   * Returns the entries to write into the upload journal. If writing them will succeed, it also applies them to the
   * model.
   */
  #settlementsOf(outcomes: readonly Outcome[], succeeds: boolean) {
    const ended = new Set<string>();
    const settlements = outcomes.map((outcome) => {
      const row = this.#rows.filter(({ id }) => !ended.has(id))[outcome.row];
      if (row) ended.add(row.id);
      const { key = outcome.key } = row ?? {};
      const number = ++this.#count;
      const written = baselineOf(entry(key), { versionId: `v${number}` });
      const conflict = { id: `conflict ${number}`, side: 'bucket', at: 1, etag: `e${number}` };
      const baseline = outcome.baseline === 'write' ? written : outcome.baseline;
      return {
        key,
        baseline,
        ...(row && { journalId: row.id }),
        ...(outcome.isConflict && { replacedContent: { ...conflict, side: 'bucket' as const } }),
      };
    });
    if (!succeeds) return settlements;
    this.#rows = this.#rows.filter(({ id }) => !ended.has(id));
    for (const { key, baseline, replacedContent } of settlements) {
      if (typeof baseline === 'object') this.#baseline.set(key, baseline);
      if (baseline === 'drop') {
        this.#baseline.delete(key);
        this.#held.release(key);
      }
      if (replacedContent) this.#conflicts.push(replacedContent.id);
    }
    return settlements;
  }

  /**
   * Opens the file again. After a kill, the file is in the state in which the killed process left
   * it.
   */
  #reopen(isKilled: boolean): void {
    const before = this.#path;
    if (isKilled) {
      this.#path = join(this.#folder, `${++this.#count}.sqlite`);
      for (const suffix of ['', '-wal'])
        if (existsSync(before + suffix)) cpSync(before + suffix, this.#path + suffix);
    }
    this.#state.close();
    this.#state = this.#modules.openStateFile(this.#path);
  }
}

/** Creates a property that compares the state file with the model after each step. */
const inHistories =
  (
    step: fc.Arbitrary<Step>,
    length: { readonly minLength: number; readonly maxLength: number },
  ): StateLaw =>
  (modules) =>
    fc.asyncProperty(fc.array(step, { ...length, size: 'max' }), async (steps) => {
      const bench = new Bench(modules);
      try {
        for (const each of steps) {
          await bench.run(each);
          bench.check();
        }
      } finally {
        bench.remove();
      }
    });

export const STATE_LAWS: Readonly<Record<string, StateLaw>> = {
  'a request is sent only after its journal entry has been committed and synced to the disk': (
    modules,
  ) =>
    fc.asyncProperty(fc.constantFrom(1, 3), async (count) => {
      const folder = mkdtempSync(join(tmpdir(), 'holdfast-state-'));
      const path = join(folder, 'state.sqlite');
      const db = new Database(path);
      db.pragma('journal_mode = WAL');
      modules.migrate(db, path);
      const synced = Promise.withResolvers<void>();
      const committed: unknown[] = [];
      const commits = new modules.Commits(db, () => {
        const reader = new Database(path, { readonly: true });
        committed.push(reader.prepare('SELECT count(*) FROM journal').pluck().get());
        reader.close();
        return synced.promise;
      });
      try {
        const journal = new modules.JournalTable(db, commits);
        const rows = Array.from({ length: count }, (_, index) => {
          return { id: `${index}`, key: 'f', operation: 'delete', startedAt: index } as const;
        });
        let mayBeSent = false;
        const begun = (async () => {
          await journal.begin(rows);
          mayBeSent = true;
        })();
        await new Promise<void>((resolve) => void setImmediate(resolve));
        assert.deepEqual({ mayBeSent, committed }, { mayBeSent: false, committed: [count] });
        synced.resolve();
        await begun;
      } finally {
        commits.close();
        db.close();
        rmSync(folder, { recursive: true });
      }
    }),
  'the state file contains all unfinished requests and the results of all others, even after a crash':
    inHistories(ANY_STEP, { minLength: 5, maxLength: 20 }),
  'the approval of a held change becomes invalid if the content or the version to replace changes':
    inHistories(HELD_STEP, { minLength: 30, maxLength: 50 }),
};
