/** Locks one or more versions. Asks first if the lock cannot be removed again. */

import { DAY_MS } from '../../src/base/durations.ts';
import { minuteText, readTimeAhead } from '../../src/text/time.ts';
import type { Ui } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { FormValues } from '../widgets/form.ts';
import { asked } from '../data/place.ts';
import type { ObjectPlace } from '../data/place.ts';
import { bytesText, countText } from '../../src/text/amounts.ts';
import { isRetained, lockText, needsBypass, whyNotRetained } from '../text/locks.ts';
import type { LockState, Retention } from '../text/locks.ts';
import { declined } from './declined.ts';
import { earlierVersionLines } from './earlier-versions.ts';
import { doMany } from './many.ts';
import { nameToType, shownName, shownNames } from './names.ts';
import { readLocks } from './read-locks.ts';

/** A version to lock, with its current lock if known. */
export interface Lockable extends ObjectPlace {
  readonly sizeBytes: number;
  readonly lock?: LockState | undefined;
}

const HELP_UNTIL = '30d, 12w or 7y, or a date such as 2027-12-31 (local time)';
const HELP_BYPASS = 'to shorten or change GOVERNANCE; needs full access';

export async function openLockForm(
  ui: Ui,
  objects: readonly Lockable[],
  changed: () => void,
): Promise<void> {
  const earlier = await earlierFacts(ui, objects);
  const lock = objects.length === 1 ? objects[0]?.lock : undefined;
  const isFinal = lock?.retention?.mode === 'COMPLIANCE' && isRetained(lock, ui.clock.now());
  const canBypass = objects.length > 1 || needsBypass(lock ?? {}, ui.clock.now());
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Lock ${shownNames(
        objects.map(({ key }) => key),
        ui.look,
      )}`,
      act: 'lock',
      said: [
        lock
          ? `current lock: ${lockText(lock, ui.clock.now())}`
          : countText(objects.length, 'version'),
        ...earlier,
      ],
      // The period is the first field, because most users type it immediately.
      fields: [
        {
          name: 'until',
          label: 'until',
          help: HELP_UNTIL,
          check: (_text, all) => problemOf(all, lock, ui.clock.now()),
        },
        {
          name: 'mode',
          label: 'mode',
          value: isFinal ? 'COMPLIANCE' : 'GOVERNANCE',
          choices: ['GOVERNANCE', 'COMPLIANCE'],
          help: 'COMPLIANCE cannot be shortened or ended. GOVERNANCE can, with full access',
          ...(isFinal ? { fixed: 'COMPLIANCE cannot be changed' } : {}),
        },
        {
          name: 'bypass',
          label: 'bypass GOVERNANCE',
          value: 'no',
          choices: ['no', 'yes'],
          help: HELP_BYPASS,
          ...(canBypass ? {} : { fixed: 'no GOVERNANCE lock' }),
        },
      ],
      submit: (values) => submit(ui, { objects, values, earlier, changed }),
    }),
  );
}

/**
 * Returns facts about earlier versions for the question. A lock of an object without a version id applies only to its
 * current version.
 */
async function earlierFacts(ui: Ui, objects: readonly Lockable[]): Promise<readonly string[]> {
  const current = objects.filter(({ versionId }) => versionId === undefined);
  const [first] = current;
  if (!first) return [];
  // Counting the versions of many objects would cost requests for each of them.
  const known = current.length === 1 ? await earlierVersionLines(ui, first) : undefined;
  return known ?? ['Only the current versions; earlier versions stay as they are.'];
}

function problemOf(
  values: FormValues,
  lock: LockState | undefined,
  now: number,
): string | undefined {
  const { until = '' } = values;
  if (until.trim() === '') return `is required: ${HELP_UNTIL}`;
  const retention = retentionOf(values, now);
  if (!retention) return `"${until}" is neither a period nor a date: write ${HELP_UNTIL}`;
  return whyNotRetained(retention, { lock: lock ?? {}, now, bypass: values['bypass'] === 'yes' });
}

function retentionOf({ mode, until = '' }: FormValues, now: number): Retention | undefined {
  const retainUntil = readTimeAhead(until, now);
  if (retainUntil === undefined) return undefined;
  return { mode: mode === 'COMPLIANCE' ? 'COMPLIANCE' : 'GOVERNANCE', retainUntil };
}

interface Submission {
  readonly objects: readonly Lockable[];
  readonly values: FormValues;
  /** Facts about earlier versions, which the lock does not protect. */
  readonly earlier: readonly string[];
  readonly changed: () => void;
}

async function submit(ui: Ui, { objects, values, earlier, changed }: Submission): Promise<void> {
  const retention = retentionOf(values, ui.clock.now());
  if (!retention) return;
  const bypass = values['bypass'] === 'yes';
  await sure(ui, objects, { retention, bypass, earlier });
  const done = await doMany(ui, {
    title: 'locking',
    items: objects,
    nameOf: ({ key }) => key,
    each: async ({ sizeBytes: _size, lock: _lock, ...place }, signal) => {
      const request = { ...asked(place), retention };
      const bypassed = bypass ? { bypassGovernance: true } : {};
      await ui.call('retention.set', { ...request, ...bypassed }, { signal });
    },
  });
  changed();
  const what =
    objects.length === 1 ? shownName(objects[0]!.key, ui.look) : countText(done, 'object');
  if (done > 0)
    ui.notifyFinal(`locked ${what}: ${retention.mode} until ${minuteText(retention.retainUntil)}`);
}

interface Wish {
  readonly retention: Retention;
  readonly bypass: boolean;
  readonly earlier: readonly string[];
}

/**
 * Asks for one confirmation before several versions are locked. For COMPLIANCE and for a GOVERNANCE bypass, the user
 * must type the name.
 */
async function sure(
  ui: Ui,
  objects: readonly Lockable[],
  { retention: { mode, retainUntil }, bypass, earlier }: Wish,
): Promise<void> {
  const isSafe = mode !== 'COMPLIANCE' && !bypass;
  if (isSafe && objects.length === 1) return;
  const [first] = objects;
  if (!first) return;
  const bytes = objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const days = Math.ceil((retainUntil - ui.clock.now()) / DAY_MS);
  const what = `${countText(objects.length, 'version')}, ${bytesText(bytes)}`;
  const until = `until ${minuteText(retainUntil)} (${countText(days, 'day')})`;
  const final =
    mode === 'COMPLIANCE'
      ? [
          `Until then no user can delete ${objects.length === 1 ? 'it' : 'them'} or shorten the lock, not even the owner of the store.`,
        ]
      : [];
  const many = `Lock ${countText(objects.length, 'object')}?`;
  const yes = await ui.ask({
    title: isSafe
      ? many
      : mode === 'COMPLIANCE'
        ? 'Lock in COMPLIANCE mode?'
        : 'Bypass GOVERNANCE?',
    facts: [
      `${what}: ${mode} ${until}`,
      ...earlier,
      ...final,
      ...(await refusalFacts(ui, objects, { retention: { mode, retainUntil }, bypass })),
      ...(bypass ? ['An existing GOVERNANCE lock is replaced, even by a shorter one.'] : []),
    ],
    ...(isSafe
      ? {}
      : { type: objects.length === 1 ? nameToType(first.key, first.bucket) : first.bucket }),
  });
  if (!yes) throw declined();
}

/** Returns facts about the versions whose current lock prevents the new lock. */
async function refusalFacts(
  ui: Ui,
  objects: readonly Lockable[],
  { retention, bypass }: Omit<Wish, 'earlier'>,
): Promise<string[]> {
  const [first] = objects;
  if (!first || objects.length === 1) return [];
  const now = ui.clock.now();
  const locks = await readLocks(ui, { target: first.target, bucket: first.bucket }, objects);
  const refused = locks.filter(
    (lock) => lock && whyNotRetained(retention, { lock, now, bypass }) !== undefined,
  ).length;
  const unread = objects.length - locks.length;
  return [
    ...(refused > 0
      ? [
          `${countText(refused, 'version')} cannot be changed: the present lock is longer or stricter.`,
        ]
      : []),
    ...(unread > 0 ? [`The present locks of ${countText(unread, 'version')} were not read.`] : []),
  ];
}

/**
 * Adds a legal hold to the versions. If all versions already have a legal hold, removes these holds. The change can be
 * undone.
 */
export async function switchHold(
  ui: Ui,
  objects: readonly Lockable[],
  changed: () => void,
): Promise<void> {
  const held = await heldOf(ui, objects);
  const legalHold = !objects.every((each) => held.has(each));
  const switched = objects.filter((each) => held.has(each) !== legalHold);
  const names = shownNames(
    objects.map(({ key }) => key),
    ui.look,
  );
  const done = await setHold(ui, switched, legalHold);
  changed();
  if (done === 0) return;
  ui.notifyUndoable(legalHold ? `${names}: on legal hold` : `${names}: hold lifted`, async () => {
    await setHold(ui, switched, !legalHold);
    changed();
  });
}

/** Returns the versions that have a legal hold. Reads unknown holds, because an undo must not remove earlier holds. */
async function heldOf(ui: Ui, objects: readonly Lockable[]): Promise<ReadonlySet<Lockable>> {
  const held = new Set(objects.filter(({ lock }) => lock?.legalHold === true));
  const unknown = objects.filter(({ lock }) => lock?.legalHold === undefined);
  if (unknown.length === 0) return held;
  await doMany(ui, {
    title: 'asking for holds',
    items: unknown,
    nameOf: ({ key }) => key,
    each: async (object, signal) => {
      const { sizeBytes: _size, lock: _lock, ...place } = object;
      const { legalHold } = await ui.call('hold.get', asked(place), { signal });
      if (legalHold) held.add(object);
    },
  });
  return held;
}

function setHold(ui: Ui, objects: readonly Lockable[], legalHold: boolean): Promise<number> {
  return doMany(ui, {
    title: legalHold ? 'putting on hold' : 'lifting holds',
    items: objects,
    nameOf: ({ key }) => key,
    each: async ({ sizeBytes: _size, lock: _lock, ...place }, signal) => {
      await ui.call('hold.set', { ...asked(place), legalHold }, { signal });
    },
  });
}
