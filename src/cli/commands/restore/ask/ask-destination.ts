/** Asks for the folder to restore to, and lets the service check it. */

import { existsSync } from 'node:fs';

import { defined } from '../../../../base/defined.ts';
import { expandedPath, foldersBelow } from '../../../arguments/typed-path.ts';
import { usageError } from '../../../output/command-error.ts';
import { visible } from '../../../output/text.ts';
import type { Request } from '../restore.ts';
import type { Asking } from './asking.ts';

interface Destination {
  /** Absolute path of the folder; absent for a restore in place. */
  readonly to?: string;
  /** The stream with the plan of the restore. */
  readonly stream: string;
}

/** Returns a destination for which a plan could be made. Asks again after one that is refused. */
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

/** Returns the folder that an answer names; undefined for a restore in place. */
function placeOf(answer: string, beside: string): string | undefined {
  if (answer === '1' || answer === 'beside') return beside;
  if (answer === '2' || answer === 'in place' || answer === 'in-place') return undefined;
  if (/^\d+$/.test(answer))
    throw usageError(`the list has no destination ${answer}`, `for a folder: ./${answer}`);
  return expandedPath(answer);
}

/** Returns the path of a folder beside this one that does not exist, such as `~/Documents.back`. */
function newFolderBeside(folder: string): string {
  for (let count = 1; ; count += 1) {
    const path = `${folder}.back${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(path)) return path;
  }
}
