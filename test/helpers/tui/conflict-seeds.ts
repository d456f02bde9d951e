/** Conflicts of two jobs of the fake daemon. They change when a test resolves them. */

import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Answers } from './seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from './seeds.ts';

type Conflict = Result<'conflicts.list'>['conflicts'][number];
type Step = Result<'conflicts.resolve'>['steps'][number]['does'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function seededConflict(changes: Partial<Conflict> = {}): Conflict {
  return {
    id: 'j1',
    path: '2026/report.md',
    state: 'open',
    side: 'bucket',
    at: NOW - 2 * HOUR_MS,
    etag: '9b2c0f41ff',
    versionId: '3L4kqtJlcpX',
    sizeBytes: 1_412,
    stands: { sizeBytes: 1_204, modifiedAt: NOW - 3 * HOUR_MS },
    retainUntil: NOW + 30 * DAY_MS,
    ...changes,
  };
}

/** Conflicts that change with each call. `meanwhile` resolves a conflict as another client does. */
export class SeededConflicts {
  readonly jobs: Record<string, Conflict[]>;
  /** Paths that stay pending, each with the reason why no sync round reaches it. */
  readonly waits = new Map<string, string>();
  /** Names of the jobs for which `conflicts.list` fails. */
  readonly failing = new Set<string>();

  constructor(jobs: Record<string, Conflict[]>) {
    this.jobs = jobs;
  }

  meanwhile(job: string, path: string): void {
    for (const each of this.#of(job, [path])) this.#resolve(job, each, 'local');
  }

  answers(): Answers {
    return {
      status: () => ({ ...seededStatus(), jobs: this.#jobs() }),
      'conflicts.list': (asked) => this.#list(asked),
      'conflicts.sides': ({ job, path, id }) => this.#sides(job, path, id),
      'conflicts.resolve': (asked) => this.#answer(asked),
    };
  }

  #jobs() {
    return Object.entries(this.jobs).map(([name, all]) => {
      const conflicts = all.filter(({ state }) => state !== 'resolved').length;
      return seededJob({
        name,
        folder: `/home/ada/${name}`,
        counts: { ...seededJob().counts, conflicts },
      });
    });
  }

  #list({ job, after, limit, all }: Params<'conflicts.list'>): Result<'conflicts.list'> {
    if (this.failing.has(job))
      throw new ControlError('Failed', `open job ${job}: its root is missing`);
    const rows = (this.jobs[job] ?? []).filter(({ state }) => all || state !== 'resolved');
    const from = after === undefined ? 0 : Number(after);
    const conflicts = rows.slice(from, from + limit);
    return { conflicts, ...(from + limit < rows.length && { next: String(from + limit) }) };
  }

  #sides(job: string, path: string, id: string): Result<'conflicts.sides'> {
    const conflict = (this.jobs[job] ?? []).find((each) => each.path === path && each.id === id);
    if (!conflict)
      throw new ControlError('NotFound', `find a conflict of ${path}: job ${job} has none now`);
    const { sizeBytes = 0, stands, versionId = '', retainUntil } = conflict;
    return {
      conflict,
      local: {
        where: 'folder',
        kind: 'file',
        sizeBytes: stands?.sizeBytes ?? 0,
        modifiedAt: stands?.modifiedAt ?? 0,
        sha256: '77ab'.repeat(16),
      },
      remote: {
        where: conflict.state === 'held' ? 'current' : 'kept',
        kind: 'file',
        sizeBytes,
        modifiedAt: conflict.at,
        etag: conflict.etag,
        versionId,
        owner: 'eu:bob@example',
        byMirror: false,
        ...(retainUntil !== undefined && {
          retention: { mode: 'GOVERNANCE' as const, retainUntil },
        }),
      },
    };
  }

  #answer({
    job = '',
    keep,
    paths = [],
    dryRun,
  }: Params<'conflicts.resolve'>): Result<'conflicts.resolve'> {
    const chosen = this.#of(job, paths);
    const stepOf = ({ state, side }: Conflict): Step => {
      if (keep === 'both') return 'beside';
      if (state === 'held') return keep === 'local' ? 'cover' : 'replace';
      return (keep === 'local') === (side === 'bucket') ? 'dismiss' : 'replace';
    };
    const steps = chosen.map((each) => ({ path: each.path, does: stepOf(each) }));
    const counts = { dismiss: 0, cover: 0, replace: 0, beside: 0 };
    for (const { does } of steps) counts[does] += 1;
    const plan = { job, matched: chosen.length, counts };
    if (dryRun) return { ...plan, steps, resolved: 0, waiting: [] };
    const done = chosen.filter(({ path }) => !this.waits.has(path));
    for (const each of done) this.#resolve(job, each, keep);
    const waiting = [...this.waits].map(([path, why]) => ({ path, why }));
    return { ...plan, steps: [], resolved: done.length, waiting };
  }

  #of(job: string, paths: readonly string[]): readonly Conflict[] {
    const all = this.jobs[job] ?? [];
    return all.filter(({ path, state }) => state !== 'resolved' && paths.includes(path));
  }

  #resolve(job: string, conflict: Conflict, resolution: 'local' | 'remote' | 'both'): void {
    const resolved = { ...conflict, state: 'resolved' as const, resolution, resolvedAt: NOW };
    this.jobs[job] = (this.jobs[job] ?? []).map((each) => (each === conflict ? resolved : each));
  }
}
