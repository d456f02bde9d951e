/** Checks the folder and the bucket name of a job before the job is created. */

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { failureReason } from '../../base/disk-error.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { shellWord } from '../output/text.ts';

/** Returns the absolute path of an existing folder. Throws CommandError `FolderNotUsable`. */
export async function existingFolder(context: Context, typed: string): Promise<string> {
  const folder = context.path(typed);
  const refused = (reason: string, step: string, cause?: unknown) =>
    new CommandError('FolderNotUsable', `cannot back up ${folder}: ${reason}`, step, cause);
  try {
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw refused(
      failureReason(error, 'folder'),
      `check its path: ls -ld ${shellWord(folder)}`,
      error,
    );
  }
  throw refused(
    'it is not a folder',
    `to back up the folder of that file: holdfast up ${shellWord(dirname(folder))}`,
  );
}

const BUCKET_RULE =
  'a bucket name has 3 to 63 lower-case letters, digits, dots and hyphens, ' +
  'with a letter or digit at both ends';

/** Throws a usage error if the bucket name is invalid. The error suggests a valid name. */
export async function checkBucketName(name: string): Promise<void> {
  const { bucketNameFor, isBucketName } = await import('../../config/bucket-name.ts');
  if (!isBucketName(name))
    throw usageError(
      `invalid bucket name "${name}"`,
      `${BUCKET_RULE}, such as ${bucketNameFor(`${name}-backup`)}`,
    );
}
