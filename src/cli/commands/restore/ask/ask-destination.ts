/** Asks for the folder to restore to, and checks the answer by creating a restore plan. */

import { existsSync } from 'node:fs';

import { defined } from '../../../../base/defined.ts';
import { expandedPath, foldersBelow } from '../../../arguments/typed-path.ts';
import { usageError } from '../../../output/command-error.ts';
import { visible } from '../../../output/text.ts';
import type { Request } from '../restore.ts';
import type { Asking } from './asking.ts';

interface Destination {
  /** The absolute path of the folder. Absent for an in-place restore. */
  readonly to?: string;
  /** The stream with the plan of the restore. */
  readonly stream: string;
}

/**
 * Returns a destination for which a restore plan could be created. If a destination is rejected,
 * asks again.
 */
export function askDestination(
  { context, answers, source, job: { folder } }: Asking,
  asked: Request,
): Promise<Destination> {
  const beside = newFolderBeside(folder);
  const question = {
    text: 'Destination',
    explained: [
      'Restore to which folder?',
      ['1  beside', `A new folder: ${visible(beside)}`],
      ['2  in place', `${visible(folder)}; different files are replaced, and none is lost.`],
      ['a path', 'Another folder, which is created if necessary. Tab completes it.'],
    ] as const,
    proposed: '1',
    option: '--to or --in-place',
    complete: (typed: string) => foldersBelow(context, typed),
  };
  return answers.ask(question, async (answer) => {
    const to = placeOf(answer, beside);
    const absolute = to === undefined ? undefined : context.path(to);
    const { stream } = await source.call('restore.plan', {
      ...asked,
      ...defined({ to: absolute }),
    });
    return { stream, ...defined({ to: absolute }) };
  });
}

/** Returns the folder for an answer. Returns undefined for an in-place restore. */
function placeOf(answer: string, beside: string): string | undefined {
  if (answer === '1' || answer === 'beside') return beside;
  if (answer === '2' || answer === 'in place' || answer === 'in-place') return undefined;
  if (/^\d+$/.test(answer))
    throw usageError(`the list has no destination ${answer}`, `for a folder: ./${answer}`);
  return expandedPath(answer);
}

/**
 * Returns a new path in the same parent folder, such as `~/Documents.back`, that does not exist
 * yet.
 */
function newFolderBeside(folder: string): string {
  for (let count = 1; ; count += 1) {
    const path = `${folder}.back${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(path)) return path;
  }
}
