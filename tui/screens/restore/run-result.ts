/** Describes the result of restores: which files were written, set aside or not restored. */

import type { RunResult } from './restore-run.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';

export type Problem = RunResult['problems'][number];

export function problemsOf(results: readonly RunResult[]): readonly Problem[] {
  return results.flatMap(({ problems }) => problems);
}

export function resultLines(results: readonly RunResult[], width: number, look: Look): string[] {
  const sum = (count: (result: RunResult) => number) =>
    results.reduce((all, result) => all + count(result), 0);
  const [first] = results;
  if (!first) return [];
  const problems = sum(({ problemCount }) => problemCount);
  const listed = problemsOf(results).length;
  const copied = sum(({ copied: count = 0 }) => count);
  const places = new Set(results.map(({ to }) => to));
  const more = places.size > 1 ? ` and ${countText(places.size - 1, 'other folder')}` : '';
  const lines = [
    `to ${look.name(first.to)}${more}`,
    `${countText(
      sum(({ files }) => files),
      'file',
    )}, ${bytesText(sum(({ bytes }) => bytes))}; ` +
      `${countText(
        sum(({ directories }) => directories),
        'folder',
      )}, ${countText(
        sum(({ symlinks }) => symlinks),
        'link',
      )}; ` +
      `${numberText(sum(({ kept }) => kept))} existed already`,
    ...(copied > 0
      ? [
          `in the bucket: ${countText(copied, 'older version')} made current again; nothing was deleted`,
        ]
      : []),
    ...asideLines(results, look),
    ...earlyLines(results, look),
    ...unprovenLines(results, look),
  ].map((line) => look.cut(line, width, 'middle'));
  if (problems === 0) return [...lines, look.paint('good', 'no problems')];
  const rest = problems > listed ? `, of which ${numberText(listed)} are listed` : '';
  return [...lines, look.paint('bad', `! ${countText(problems, 'problem')}${rest}`)];
}

function asideLines(results: readonly RunResult[], look: Look): string[] {
  const saved = results.reduce((sum, each) => sum + each.saved, 0);
  const stored = saved === 0 ? [] : [`stored as versions first: ${countText(saved, 'file')}`];
  const moved = results.flatMap(({ aside, asideFolder }) =>
    asideFolder === undefined
      ? []
      : [`set aside: ${numberText(aside)}, into ${look.name(asideFolder)}`],
  );
  return [...stored, ...moved];
}

function unprovenLines(results: readonly RunResult[], look: Look): string[] {
  const unproven = results.flatMap((result) => result.unproven ?? []);
  if (unproven.length === 0) return [];
  const count = unproven.reduce((sum, each) => sum + each.count, 0);
  const names = unproven.flatMap(({ paths }) => paths).map((path) => look.name(path));
  return [`* ${countText(count, 'path')} without owner or special mode bits: ${names.join(', ')}`];
}

function earlyLines(results: readonly RunResult[], look: Look): string[] {
  const early = results.filter(({ early: { count } }) => count > 0);
  if (early.length === 0) return [];
  const count = early.reduce((sum, each) => sum + each.early.count, 0);
  const names = early.flatMap(({ early: { paths } }) => paths).map((path) => look.name(path));
  return [`* ${countText(count, 'object')} may be of another time: ${names.join(', ')}`];
}
