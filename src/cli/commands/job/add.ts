/** Implements `holdfast job add`. It adds a job to the running daemon. */

import { defined } from '../../../base/defined.ts';
import type { Context } from '../../context.ts';
import { checkBucketName, existingFolder } from '../../arguments/folder.ts';
import { addedLines } from './added.ts';

export interface JobsAddOptions {
  readonly name?: string;
  readonly bucket?: string;
  readonly prefix?: string;
  readonly target: string;
  readonly exclude?: readonly string[];
  readonly takeOver?: boolean;
}

export async function addJob(
  context: Context,
  typed: string,
  options: JobsAddOptions,
): Promise<void> {
  const folder = await existingFolder(context, typed);
  const { name, bucket, prefix, target, takeOver } = options;
  if (bucket !== undefined) await checkBucketName(bucket);
  const exclude = options.exclude && [...options.exclude];
  const spec = defined({ folder, name, bucket, prefix, target, exclude, takeOver });
  const added = await context.withDaemon((daemon) => daemon.call('jobs.add', spec));
  if (context.json) return context.out.json(added);
  await context.out.prose(...addedLines(added, context.out.paint));
}
