/**
 * The complete decision table of the planner (mirror.md, section 3). It covers every state of file
 * and object, every kind of bucket, and every policy.
 */

import type { planMirror } from '../../src/mirror/plan/plan.ts';
import type { PlanInput, PlanPolicy } from '../../src/mirror/plan/plan-types.ts';
import {
  type BucketKind,
  type ConflictPolicy,
  type DriftPolicy,
  LOCK_UNSEEN,
} from '../../src/mirror/model/types.ts';
import {
  baselineOf,
  describePlan,
  entry,
  NOW,
  planInput,
  type PlanParts,
  THEIRS,
} from './plan-cells.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Everything that a decision of the planner may depend on. */
const DIMENSIONS = {
  /**
   * State of the local file: unchanged (U), changed (C), deleted (D), new (N), excluded (E), in a
   * folder that could not be listed completely (`?`), or never known (`–`).
   */
  local: ['U', 'C', 'D', 'N', 'E', '?', '–'],
  head: ['S', 'X', 'M'],
  bucket: ['unversioned', 'versioned', 'object-lock'] satisfies BucketKind[],
  conflict: ['keep-both', 'local', 'remote', 'ask'] satisfies ConflictPolicy[],
  drift: ['report', 'enforce'] satisfies DriftPolicy[],
  /** Whether the job locks the versions that it uploads. */
  locks: ['no', 'yes'],
  /**
   * State of the retention of the baseline's version: valid, due for renewal, or not confirmed yet.
   */
  retained: ['yes', 'due', 'unseen'],
  /**
   * Earlier contact of the job with the key: the `first` contact, a conflict that is held since the
   * first contact, a decision of the user, or a decision that is outdated because the file or the
   * object has changed since then.
   */
  contact: [
    'later',
    'first',
    'held',
    'keep local',
    'keep remote',
    'keep both',
    'outdated: replaced',
    'outdated: written again',
    'outdated: file changed',
  ],
  /** When the job last restored the current version to the bucket. */
  broughtBack: ['never', 'today', 'long ago'],
} as const;

type Dimensions = typeof DIMENSIONS;
type Point = { readonly [D in keyof Dimensions]: Dimensions[D][number] };
type Condition = { readonly [D in keyof Dimensions]?: readonly Dimensions[D][number][] };

/**
 * Expected plans for an unversioned bucket, for a versioned bucket, and for a versioned bucket with
 * locked versions.
 */
type Expected = readonly [unversioned: string, versioned: string, locked: string];

export interface Row {
  readonly when: Condition;
  readonly does: Expected;
}

const all = (text: string): Expected => [text, text, text];
const put = (text: string): Expected => [text, text, `${text}, locked`];

const KEPT = 'conflict kept-both';
const cover = (why: string, decided = '', before = ''): Expected => [
  `${before}save theirs to conflict then put ${why} if theirs, covering v2${decided}; ${KEPT}`,
  `${before}put ${why} if theirs, covering v2${decided}; ${KEPT}`,
  `${before}lock v2 then put ${why} if theirs, covering v2${decided}, locked; ${KEPT}`,
];

const HELD = all('conflict held');
const TAKEN = all('take theirs; conflict took-remote');
const HELD_BEFORE = [
  'held',
  'outdated: replaced',
  'outdated: written again',
  'outdated: file changed',
] as const;
const UNDECIDED = ['later', 'first', ...HELD_BEFORE] as const;

export const TABLE: readonly Row[] = [
  { when: { local: ['U'], head: ['S'], retained: ['yes', 'due'] }, does: all('nothing') },
  {
    when: { local: ['U'], head: ['S'], retained: ['unseen'] },
    does: ['nothing', 'nothing', 'confirm-lock'],
  },
  { when: { local: ['U'], head: ['X'], drift: ['report'] }, does: all('drifted') },
  { when: { local: ['U'], head: ['X'], drift: ['enforce'] }, does: cover('drifted') },
  {
    when: { local: ['U'], head: ['M'], broughtBack: ['never', 'long ago'] },
    does: [
      'put missing if absent',
      'copy v1 to head else put missing if absent',
      'copy v1 to head else put missing if absent, locked',
    ],
  },
  { when: { local: ['U'], head: ['M'], broughtBack: ['today'] }, does: all('contested') },

  { when: { local: ['C'], head: ['S'] }, does: put('put changed if ours') },
  {
    when: { local: ['C'], head: ['X'], conflict: ['keep-both', 'local'], contact: UNDECIDED },
    does: cover('conflict'),
  },
  { when: { local: ['C'], head: ['M'] }, does: put('put changed if absent') },

  {
    when: { local: ['D'], head: ['S'] },
    does: ['save ours to trash then delete if ours', 'delete if ours', 'delete if ours'],
  },
  { when: { local: ['D'], head: ['X'] }, does: all('drop-baseline; delete skipped') },
  { when: { local: ['D'], head: ['M'] }, does: all('drop-baseline') },

  { when: { local: ['N'], head: ['S', 'M'] }, does: put('put new if absent') },
  {
    when: {
      local: ['N'],
      head: ['X'],
      conflict: ['keep-both'],
      contact: ['first', ...HELD_BEFORE],
    },
    does: HELD,
  },
  {
    when: { local: ['N'], head: ['X'], conflict: ['keep-both'], contact: ['later'] },
    does: cover('conflict'),
  },
  {
    when: { local: ['N'], head: ['X'], conflict: ['local'], contact: UNDECIDED },
    does: cover('conflict'),
  },

  {
    when: { local: ['C', 'N'], head: ['X'], conflict: ['remote'], contact: UNDECIDED },
    does: TAKEN,
  },
  { when: { local: ['C', 'N'], head: ['X'], conflict: ['ask'], contact: UNDECIDED }, does: HELD },
  {
    when: { local: ['C', 'N'], head: ['X'], contact: ['keep local'] },
    does: cover('conflict', ' as decided'),
  },
  { when: { local: ['C', 'N'], head: ['X'], contact: ['keep remote'] }, does: TAKEN },
  {
    when: { local: ['C', 'N'], head: ['X'], contact: ['keep both'] },
    does: cover('conflict', ' as decided', 'take theirs beside then '),
  },

  { when: { local: ['E'] }, does: all('no longer mirrored') },
  { when: { local: ['?'] }, does: all('not seen') },
  { when: { local: ['–'], head: ['S', 'M'] }, does: all('nothing') },
  { when: { local: ['–'], head: ['X'] }, does: all('foreign') },
];

function* points(): Generator<Point> {
  const names = Object.keys(DIMENSIONS) as (keyof Dimensions)[];
  const count = names.reduce((product, name) => product * DIMENSIONS[name].length, 1);
  for (let number = 0; number < count; number++) {
    let rest = number;
    const chosen = names.map((name) => {
      const values = DIMENSIONS[name];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value] as const;
    });
    yield Object.fromEntries(chosen) as unknown as Point;
  }
}

function meets(point: Point, { when }: Row): boolean {
  return Object.entries(when).every(([name, values]) =>
    (values as readonly string[]).includes(point[name as keyof Point]),
  );
}

const RETAINED = { yes: NOW + 31 * DAY_MS, due: NOW + DAY_MS, unseen: LOCK_UNSEEN };
const BROUGHT_BACK = { never: {}, today: NOW - HOUR_MS, 'long ago': NOW - 25 * HOUR_MS };
const CHANGED = entry('f', { mtimeMs: 2_000, sizeBytes: 11 });
const SEEN = { etag: 'theirs', sizeBytes: 10, versionId: 'v2' };

/** Returns the input of the planner for one combination of the dimensions. */
function inputOf(point: Point): PlanInput {
  const { local, head, bucket, conflict, drift, locks, contact } = point;
  const known = local !== 'N' && local !== '–';
  const last = BROUGHT_BACK[point.broughtBack];
  const baseline = baselineOf(entry('f'), {
    retainUntil: RETAINED[point.retained],
    ...(typeof last === 'number' && { reprotectedAt: last }),
  });
  const present = { U: entry('f'), C: CHANGED, N: CHANGED } as const;
  const here = present[local as keyof typeof present] as (typeof present)['U'] | undefined;
  const remote: Record<string, PlanParts['remote']> = {
    S: {},
    X: { f: THEIRS },
    M: { f: 'absent' },
  };
  return planInput({
    ...(known && { baseline: { f: baseline } }),
    ...(here && { entries: { f: here } }),
    ...(local === 'E' && { excluded: ['f'] }),
    ...(local === '?' && { unlisted: [''] }),
    remote: remote[head] ?? {},
    policy: {
      bucket,
      conflict,
      drift,
      ...(locks === 'yes' && { lock: { days: 30, refreshDays: 7 } }),
      isFirstRound: contact === 'first',
      heldKeys: new Set(contact === 'later' || contact === 'first' ? [] : ['f']),
      answers: answersTo(contact),
    },
  });
}

/**
 * Returns the decision of the user, with the states that the file and the object had at that time.
 */
function answersTo(contact: Point['contact']): PlanPolicy['answers'] {
  const seen = { key: 'f', entry: CHANGED, since: NOW, head: SEEN } as const;
  switch (contact) {
    case 'keep local':
      return new Map([['f', { ...seen, wish: 'local' }]]);
    case 'keep remote':
      return new Map([['f', { ...seen, wish: 'remote' }]]);
    case 'keep both':
      return new Map([['f', { ...seen, wish: 'both' }]]);
    case 'outdated: replaced':
      return new Map([['f', { ...seen, wish: 'local', head: { ...SEEN, etag: 'other' } }]]);
    case 'outdated: written again':
      return new Map([['f', { ...seen, wish: 'local', head: { ...SEEN, versionId: 'v3' } }]]);
    case 'outdated: file changed':
      return new Map([['f', { ...seen, wish: 'local', entry: entry('f', { mtimeMs: 3_000 }) }]]);
    default:
      return new Map();
  }
}

function expectedOf({ bucket, locks }: Point, [unversioned, versioned, locked]: Expected): string {
  if (bucket === 'unversioned') return unversioned;
  return bucket === 'object-lock' && locks === 'yes' ? locked : versioned;
}

export const describeRow = ({ when }: Row) =>
  Object.entries(when)
    .map(([name, values]) => `${name} ${values.join('/')}`)
    .join(', ');

/** All combinations of the dimensions, each with the table rows that match it. */
export const POINTS = [...points()].map((point) => ({
  point,
  rows: TABLE.filter((row) => meets(point, row)),
}));

/** Returns the combinations for which the planner's decision differs from the table. */
export function wrongCells(plan: typeof planMirror, ofRow?: Row) {
  return POINTS.flatMap(({ point, rows: [row] }) => {
    if (row === undefined || (ofRow ?? row) !== row) return [];
    const planned = describePlan(plan(inputOf(point)));
    const expected = expectedOf(point, row.does);
    return planned === expected ? [] : [{ point, planned, expected }];
  });
}
