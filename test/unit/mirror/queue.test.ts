/** Tests of the list of pending changes of a job, which `holdfast job queue` prints. */

import { join } from 'node:path';

import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { FilesInFlight } from '../../../src/base/files-in-flight.ts';
import { Retries } from '../../../src/mirror/transfer/retries.ts';
import { controlWork } from '../../../src/mirror/rounds/work-report.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import type { LocalEntry } from '../../../src/mirror/model/types.ts';
import {
  QUEUE_REASONS,
  type QueueReason,
  type QueueRow,
  type WorkControl,
} from '../../../src/mirror/model/work-control.ts';
import { compareUtf8 } from '../../../src/object-store/rules/listing.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const entryOf = (path: string): LocalEntry => ({
  path,
  kind: 'file',
  sizeBytes: 1,
  mtimeMs: 0,
  ctimeMs: 0,
  inode: 1,
  mode: 0o644,
  uid: 0,
  gid: 0,
});

function job() {
  const clock = new FakeClock();
  const state = openStateFile(join(temporaryFolder('queue'), 'state.sqlite'));
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const retries = new Retries(clock, () => undefined);
  onTestFinished(() => {
    retries.close();
    state.close();
  });
  const hints = new Set<string>();
  const deferred = new Map<string, number>();
  const work = controlWork({
    state,
    tracker,
    retries,
    agenda: { hints: () => hints, changedKeys: () => [] },
    deferrals: {
      isWaiting: (key) => deferred.has(key),
      waiting: function* () {
        for (const [key, until] of deferred) yield { key, until };
      },
    },
    phase: { scannedFiles: 12 },
    filesRead: new FilesInFlight(),
  });
  /** Functions that add a pending change with the given reason for a path. */
  const add: Record<QueueReason, (path: string) => void> = {
    error: (path) => tracker.setProblem({ path, code: 'unreadable', message: `${path}: no` }),
    conflict: (path) =>
      state.held.hold(path, entryOf(path), clock.now(), { etag: 'e', sizeBytes: 1 }),
    held: (path) => state.heldChanges.holdDelete(path, { etag: 'e' }),
    drifted: (path) => tracker.setDrifted(path, true),
    busy: (path) => retries.schedule(path, 'busy'),
    waiting: (path) => void hints.add(path),
    retained: (path) => state.retained.hold({ key: path, until: 9, what: 'an older version' }),
  };
  return { clock, state, tracker, retries, hints, deferred, work, add };
}

function allOf(work: WorkControl, limit: number, reason?: QueueReason): QueueRow[] {
  const rows: QueueRow[] = [];
  let after: string | undefined;
  do {
    const page = work.queue({ limit, ...(reason && { reason }), ...(after && { after }) });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== undefined);
  return rows;
}

describe('the list of pending changes of a job', () => {
  it('property: the queue lists each pending change once, sorted by reason and key, for any page size', () => {
    const name = constantFrom('a', 'b', 'b/c', 'b-', 'é', '\u{1f600}', '\uffff', 'z\ny', 'Z');
    const steps = array(record({ reason: constantFrom(...QUEUE_REASONS), name }), {
      maxLength: 40,
    });
    assert(
      property(steps, integer({ min: 1, max: 7 }), (added, limit) => {
        const { work, add } = job();
        for (const step of added) add[step.reason](step.name);
        const wanted = QUEUE_REASONS.flatMap((reason) => {
          const names = new Set(
            added.filter((each) => each.reason === reason).map((each) => each.name),
          );
          return [...names].toSorted(compareUtf8).map((path) => ({ path, reason }));
        });
        const identify = ({ path, reason }: QueueRow) => ({ path, reason });
        expect(allOf(work, limit).map(identify)).toEqual(wanted);
        const counts = work.queueCounts();
        for (const reason of QUEUE_REASONS) {
          const own = wanted.filter((row) => row.reason === reason);
          expect(allOf(work, limit, reason).map(identify)).toEqual(own);
          expect(counts[reason]).toBe(own.length);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('the queue returns for each pending change the reason and, if known, the time until which the change waits', () => {
    const { work, add, clock, deferred, tracker } = job();
    add.error('broken');
    add.drifted('theirs');
    add.busy('open');
    add.retained('kept');
    deferred.set('often', 1234);
    tracker.begin('sent', { since: clock.now(), sizeBytes: 7 });
    expect(allOf(work, 10)).toEqual([
      { reason: 'error', path: 'broken', detail: 'broken: no' },
      {
        reason: 'drifted',
        path: 'theirs',
        detail: 'another client changed the object; the file did not change',
      },
      {
        reason: 'busy',
        path: 'open',
        detail: 'a program wrote to it while it was read',
        until: clock.now() + 250,
      },
      {
        reason: 'waiting',
        path: 'often',
        detail: 'deferred, because its current version is too recent (minVersionInterval)',
        until: 1234,
      },
      { reason: 'waiting', path: 'sent', detail: 'in progress' },
      { reason: 'retained', path: 'kept', detail: 'an older version', until: 9 },
    ]);
    expect(work.sizeOf('sent')).toBe(7);
    expect(work.scannedFiles()).toBe(12);
  });

  it('the queue lists a key once if it is pending for several reasons', () => {
    const { work, add, clock, deferred, tracker } = job();
    add.waiting('a');
    add.waiting('b');
    deferred.set('b', 1);
    tracker.begin('a', { since: clock.now(), sizeBytes: 7 });
    expect(allOf(work, 10).map(({ path }) => path)).toEqual(['a', 'b']);
  });
});
