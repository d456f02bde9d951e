/** History of a job's folder in the fake daemon, and restores of this folder. */

import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { DifferenceRow, EntrySums } from '../../../src/control/methods/history.ts';
import type { SeededDaemon, Answers } from './seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from './seeds.ts';

const HOUR_MS = 3_600_000;

interface Change {
  readonly path: string;
  readonly at: number;
  /** Content of the file after the change. Undefined if the change deleted the file. */
  readonly text?: string;
}

type Entry = Result<'history.folder'>['entries'][number];
type Run = Result<'restores.list'>['runs'][number];

const at = (hoursAgo: number): number => NOW - hoursAgo * HOUR_MS;

export const CHANGES: readonly Change[] = [
  { path: 'notes.md', at: at(72), text: 'one\ntwo\n' },
  { path: 'letters/ann.txt', at: at(72), text: 'dear ann' },
  { path: 'letters/bob.txt', at: at(48), text: 'dear bob' },
  { path: 'quiet/old.txt', at: at(72), text: 'old' },
  { path: 'plan.txt', at: at(48), text: 'the plan' },
  { path: 'notes.md', at: at(24), text: 'one\nthree\n' },
  { path: 'plan.txt', at: at(2) },
  { path: 'letters/ann.txt', at: at(2), text: 'dear anna' },
  { path: 'new\n\u{202e}.txt', at: at(2), text: 'new' },
];

export function restoreResult(changes: Partial<Result<'restore.run'>> = {}): Result<'restore.run'> {
  return {
    to: '/home/ada/Photos',
    files: 3,
    kept: 1,
    directories: 1,
    symlinks: 0,
    bytes: 24,
    aside: 1,
    saved: 0,
    asideFolder: '/home/ada/Photos.before-restore-20261121T120000Z',
    early: { count: 0, paths: [] },
    undated: 0,
    seconds: 1,
    problems: [],
    problemCount: 0,
    ...changes,
  };
}

export class SeededHistory {
  daemon!: SeededDaemon;
  /** Unfinished restore runs by run id. A test must finish them. */
  readonly running = new Map<string, PromiseWithResolvers<Result<'restore.run'>>>();
  /** Finished and running restores that the fake daemon lists. */
  runs: Run[] = [];
  plan: readonly { path: string; is: string; sizeBytes?: number; message?: string }[] = [
    { path: 'notes.md', is: 'replace', sizeBytes: 8 },
    { path: 'plan.txt', is: 'new', sizeBytes: 8 },
    { path: 'letters/bob.txt', is: 'keep', sizeBytes: 8 },
  ];

  answers(): Answers {
    return {
      status: () => ({ ...seededStatus(), jobs: [seededJob()] }),
      'versioning.get': () => ({ versioning: 'Enabled' }),
      'history.folder': (asked) => ({ job: 'photos', entries: folderAt(below(asked), asked.at) }),
      'history.moments': (asked) => moments(below(asked), asked.limit),
      'history.compare': ({ from, to = Infinity, ...asked }) => ({
        job: 'photos',
        stream: this.daemon.offer(differences(below(asked), from, to)),
      }),
      'history.sums': ({ at: then, ...asked }) => ({
        job: 'photos',
        stream: this.daemon.offer(sums(below(asked), then)),
      }),
      'objects.get': ({ key, versionId }) => this.#object(key, versionId),
      'restore.plan': ({ to = '/home/ada/Photos' }) => ({
        to,
        stream: this.daemon.offer(this.plan),
      }),
      'restore.run': (asked) => this.#run(asked),
      'restores.list': () => ({ runs: this.runs }),
      'restores.wait': ({ id }) => {
        const run = this.running.get(id);
        if (!run) throw new ControlError('NotFound', `find restore ${id}: there is none`);
        return run.promise;
      },
      'restores.stop': () => ({}),
      'history.planUndo': () => ({
        to: '/home/ada/Photos',
        total: 1,
        undated: [],
        undatedCount: 0,
        steps: [{ path: 'notes.md', ...facts(at(72), 8), isCurrent: false }],
      }),
      'history.undo': () => ({
        ...restoreResult({ files: 1 }),
        copied: 1,
        removed: 0,
        job: 'docs',
      }),
    };
  }

  #run({ id }: Params<'restore.run'>): Promise<Result<'restore.run'>> {
    const run = Promise.withResolvers<Result<'restore.run'>>();
    run.promise.catch(() => undefined);
    this.running.set(id, run);
    this.runs = [
      {
        id,
        job: 'photos',
        state: 'running',
        startedAt: NOW,
        files: 1,
        bytes: 8,
        totalFiles: 3,
        totalBytes: 24,
      },
    ];
    return run.promise;
  }

  #object(key: string, versionId = ''): Result<'objects.get'> {
    const change = CHANGES.find((each) => String(each.at) === versionId && each.path === key);
    const text = change?.text ?? '';
    const info = { sizeBytes: text.length, etag: 'e', lastModifiedAt: change?.at ?? 0 };
    return { stream: this.daemon.offer(text), info };
  }
}

function facts(lastModifiedAt: number, sizeBytes: number) {
  return { sizeBytes, lastModifiedAt, versionId: String(lastModifiedAt), etag: `e${sizeBytes}` };
}

/** Returns the requested path, relative to the job's folder and with a slash at the end. */
function below({ path = '' }: { readonly path?: string | undefined }): string {
  const rest = path.slice('/home/ada/Photos/'.length);
  return rest === '' ? '' : `${rest}/`;
}

function folderAt(folder: string, then: number): Entry[] {
  const latest = new Map<string, Change>();
  for (const change of CHANGES) if (change.at <= then) latest.set(change.path, change);
  const found = new Map<string, Entry>();
  for (const { path, at: changed, text } of latest.values()) {
    if (text === undefined || !path.startsWith(folder)) continue;
    const slash = path.indexOf('/', folder.length);
    if (slash < 0) found.set(path, { path, ...facts(changed, text.length) });
    else found.set(path.slice(0, slash + 1), { path: path.slice(0, slash + 1) });
  }
  return [...found.values()];
}

function filesAt(folder: string, then: number): ReadonlyMap<string, ReturnType<typeof facts>> {
  const files = new Map<string, ReturnType<typeof facts>>();
  for (const { path, at: changed, text } of CHANGES) {
    if (changed > then || !path.startsWith(folder)) continue;
    if (text === undefined) files.delete(path);
    else files.set(path, facts(changed, text.length));
  }
  return files;
}

function differences(folder: string, from: number, to: number): DifferenceRow[] {
  const [before, after] = [filesAt(folder, from), filesAt(folder, to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted()
    .flatMap((path): DifferenceRow[] => {
      const [was, is] = [before.get(path), after.get(path)];
      if (!was) return [{ path, is: 'added', after: is! }];
      if (!is) return [{ path, is: 'removed', before: was }];
      if (was.versionId === is.versionId) return [];
      return [{ path, is: 'changed', before: was, after: is }];
    });
}

function sums(folder: string, then: number): EntrySums[] {
  const rows = differences(folder, then, Infinity);
  const entryOf = (path: string) => {
    const slash = path.indexOf('/', folder.length);
    return slash < 0 ? path : path.slice(0, slash + 1);
  };
  const [before, after] = [filesAt(folder, then), filesAt(folder, Infinity)];
  const filesOf = (files: ReturnType<typeof filesAt>, entry: string) => {
    const found = [...files].filter(([path]) => entryOf(path) === entry);
    return { files: found.length, bytes: found.reduce((sum, [, each]) => sum + each.sizeBytes, 0) };
  };
  return [...new Set([...before.keys(), ...after.keys()].map(entryOf))].map((path) => {
    const count = (is: DifferenceRow['is']) =>
      rows.filter((row) => row.is === is && entryOf(row.path) === path).length;
    return {
      path,
      before: filesOf(before, path),
      after: filesOf(after, path),
      added: count('added'),
      changed: count('changed'),
      removed: count('removed'),
      uncertain: 0,
    };
  });
}

function moments(folder: string, limit: number): Result<'history.moments'> {
  const counts = new Map<number, number>();
  for (const { path, at: changed } of CHANGES)
    if (path.startsWith(folder)) counts.set(changed, (counts.get(changed) ?? 0) + 1);
  const all = [...counts]
    .map(([when, changes]) => ({ at: when, changes }))
    .sort((a, b) => b.at - a.at);
  return { job: 'photos', moments: all.slice(0, limit), isComplete: true, undated: 0 };
}
