/**
 * Splits a job with several targets, such as `also: [{target: eu, bucket: photos-eu}]`. Each additional target becomes
 * a separate job, such as `photos@eu`. It inherits the options of the first job, except those that its own entry sets.
 */

import { z } from 'zod';

import type { ConfigProblem } from './config-error.ts';
import type { ConfigDocument, Path } from './document.ts';
import { nameAt } from './job-name.ts';
import type { Piece } from './piece.ts';

/** The maximum number of additional targets. More copies of a folder are considered a mistake. */
const MAX_TARGETS_BESIDES = 8;
/** Options that all targets of a job share, because they scan the folder together. */
const SHARED = new Set([
  'name',
  'folder',
  'exclude',
  'cacheDirs',
  'oneFileSystem',
  'rescanMinutes',
  'also',
]);
/**
 * Options that additional targets do not inherit. If two jobs requested the same heartbeat URL, one of them could fail
 * unnoticed while the other still requests the URL.
 */
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

/** Parses one item of `jobs`. Returns the job, and one job for each additional target. */
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

/** Returns the problems that are specific to the entry of an additional target. */
function wrongMembers(
  document: ConfigDocument,
  own: Path,
  { entry, taken }: { readonly entry: Data; readonly taken: ReadonlySet<unknown> },
): ConfigProblem[] {
  const shared = Object.keys(entry).filter((key) => SHARED.has(key));
  const { target } = entry;
  return [
    ...shared.map((key) =>
      document.problemAtKey(own, key, 'must be set on the job, since all its targets share it'),
    ),
    ...(target === undefined ? [document.problemAt(own, 'must name a target')] : []),
    ...(taken.has(target)
      ? [document.problemAt([...own, 'target'], 'is already a target of this job')]
      : []),
  ];
}

function named<T extends Named>(
  parsed: Piece<T>,
  first: Piece<T>,
  wrong: readonly ConfigProblem[],
): Piece<T> {
  // Problems that come from the job itself are already reported for the job.
  const others = parsed.problems.filter(
    ({ path }) => !first.problems.some((each) => sameMember(path, each.path)),
  );
  const { target } = parsed.sound;
  const { name } = first.sound;
  const own = name !== undefined && target !== undefined && { name: nameAt(name, target) };
  // The rules between jobs do not apply to an invalid entry.
  if (wrong.length > 0) return { sound: {}, problems: [...wrong, ...others] };
  const sound = { ...parsed.sound, ...own };
  if (others.length > 0 || !parsed.value) return { sound, problems: others };
  return { value: { ...parsed.value, ...own }, sound, problems: [] };
}

/** Returns whether both paths refer to the same option, such as `jobs[0].also[1].lock.days` and `jobs[0].lock.days`. */
function sameMember(path: string | undefined, other: string | undefined): boolean {
  return path?.replace(/\.also\[\d+\]/, '') === other;
}

function isMap(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
