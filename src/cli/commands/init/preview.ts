/** Counts the files that a job would back up. It uses the same scanner as jobs, so the same exclude rules apply. */

import type { Home } from '../../../config/home.ts';
import type { JobEntry } from '../../../config/schema.ts';
import type { Context } from '../../context.ts';
import { Progress } from '../../output/progress.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import type { Item } from '../../arguments/answers.ts';
import { visible } from '../../output/text.ts';

/** Returns the counts of the folder, and the paths that cannot be stored. */
export async function preview(
  context: Context,
  { folder, exclude }: { readonly folder: string; readonly exclude: readonly string[] },
  home: Home,
) {
  const { previewFolder } = await import('../../../../daemon/offline/preview-folder.ts');
  const progress = new Progress(context);
  const onScanned = (scanned: number, bytes: number) =>
    progress.show(`counting ${visible(folder)}`, { scanned, bytes });
  const { signal } = new AbortController();
  try {
    return await previewFolder({ folder, exclude, home, onScanned }, signal);
  } finally {
    progress.end();
  }
}

export type Preview = Awaited<ReturnType<typeof preview>>;

const SHOWN_PROBLEMS = 5;

/** Returns lines about what would be uploaded and what cannot be uploaded. */
export function previewItems({ files, bytes, folders, links, problems }: Preview): Item[] {
  const rest = problems.length - SHOWN_PROBLEMS;
  const within = `in ${countText(folders, 'folder')}; ${countText(links, 'link')}`;
  return [
    ['to upload', `${countText(files, 'file')}, ${bytesText(bytes)}, ${within}`],
    ...problems
      .slice(0, SHOWN_PROBLEMS)
      .map(({ message }): Item => ['not stored', visible(message)]),
    ...(rest > 0 ? [['', `and ${rest} more`] as const] : []),
  ];
}

/** The number of days in a month, for estimates. */
const MONTH_DAYS = 30;

/**
 * Returns an estimate of the monthly cost of the backup. A store on this disk costs only disk space. At a service,
 * each renewal of a lock costs one request per file.
 */
export function costItems(
  { files, bytes, folders, links }: Preview,
  { target, lock }: Pick<JobEntry, 'lock' | 'target'>,
): Item[] {
  const kept = lock
    ? `, and each replaced or deleted version for at least ${countText(lock.days, 'more day')}`
    : '';
  const stored = `${bytesText(bytes)}${kept}`;
  if (target === undefined) return [['disk space', stored]];
  const uploads = files + folders + links;
  const renewals = lock ? Math.ceil((uploads * MONTH_DAYS) / (lock.refreshDays ?? lock.days)) : 0;
  const requests = lock ? `about ${countText(renewals, 'request')} to renew the locks, ` : '';
  return [
    ['first backup', `about ${countText(uploads, 'request')}`],
    ['each month', `${requests}and one request for each change; stored: ${stored}`],
  ];
}
