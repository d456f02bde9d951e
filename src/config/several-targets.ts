/**
 * A job that goes to several targets: `also: [{target: eu, bucket: photos-eu}]`. Each of them is a job by itself, named
 * `photos@eu`, with the options of the first but for those that it says otherwise.
 */

import { z } from 'zod';

import type { ConfigProblem } from './config-error.ts';
import type { ConfigDocument, Path } from './document.ts';
import { nameAt } from './job-name.ts';
import type { Piece } from './piece.ts';

/** More copies than this of one folder are a mistake. */
const MAX_TARGETS_BESIDES = 8;
/** What all of them share, as they look at one folder together. */
const SHARED = new Set([
  'name',
  'folder',
  'exclude',
  'cacheDirs',
  'oneFileSystem',
  'rescanMinutes',
  'also',
]);
/** Two jobs that tell it would cover up for each other. */
const NOT_INHERITED = new Set(['also', 'heartbeatUrl']);

export const alsoShape = z
  .array(z.record(z.string(), z.unknown(), 'must be a map of keys and values'))
  .max(MAX_TARGETS_BESIDES, `must have at most ${MAX_TARGETS_BESIDES} targets`)
  .default([]);

export interface TargetPiece<T> {
  readonly path: Path;
  readonly piece: Piece<T>;
}

type Named = { readonly name: string; readonly target: string };
type Data = Readonly<Record<string, unknown>>;

/** The pieces of one item of `jobs`: the job, and one for each target besides. */
export function piecesOfJob<T extends Named>(
  document: ConfigDocument,
  { item, path }: { readonly item: unknown; readonly path: Path },
  parse: (data: unknown, path: Path) => Piece<T>,
): TargetPiece<T>[] {
  const first = { path, piece: parse(item, path) };
  const job = isMap(item) ? item : {};
  const { data: also = [] } = alsoShape.safeParse(job['also']);
  const inherited = Object.entries(job).filter(([key]) => !NOT_INHERITED.has(key));
  const taken = new Set<unknown>([first.piece.sound.target]);
  const besides = also.map((entry, index) => {
    const own = [...path, 'also', index];
    const data = { ...Object.fromEntries(inherited), ...entry };
    const problems = wrongMembers(document, own, { entry, taken });
    taken.add(entry['target']);
    return { path: own, piece: named(parse(data, own), first.piece, problems) };
  });
  return [first, ...besides];
}

/** Beside what every job may have wrong. */
function wrongMembers(
  document: ConfigDocument,
  own: Path,
  { entry, taken }: { readonly entry: Data; readonly taken: ReadonlySet<unknown> },
): ConfigProblem[] {
  const shared = Object.keys(entry).filter((key) => SHARED.has(key));
  const { target } = entry;
  return [
    ...shared.map((key) => document.problemAtKey(own, key, 'is the same for all targets of a job')),
    ...(target === undefined ? [document.problemAt(own, 'must name a target')] : []),
    ...(taken.has(target)
      ? [document.problemAt([...own, 'target'], 'is a target of this job already')]
      : []),
  ];
}

function named<T extends Named>(
  parsed: Piece<T>,
  first: Piece<T>,
  wrong: readonly ConfigProblem[],
): Piece<T> {
  // What is wrong with the job itself is told there.
  const others = parsed.problems.filter(
    ({ path }) => !first.problems.some((each) => sameMember(path, each.path)),
  );
  const { target } = parsed.sound;
  const { name } = first.sound;
  const own = name !== undefined && target !== undefined && { name: nameAt(name, target) };
  // Rules between jobs have nothing to say of one that is no job.
  if (wrong.length > 0) return { sound: {}, problems: [...wrong, ...others] };
  const sound = { ...parsed.sound, ...own };
  if (others.length > 0 || !parsed.value) return { sound, problems: others };
  return { value: { ...parsed.value, ...own }, sound, problems: [] };
}

/** `jobs[0].also[1].lock.days` and `jobs[0].lock.days`. */
function sameMember(path: string | undefined, other: string | undefined): boolean {
  return path?.replace(/\.also\[\d+\]/, '') === other;
}

function isMap(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
