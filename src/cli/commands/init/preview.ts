/** Counts the files that a job would back up. Uses the scanner of the mirror, which applies the same exclusions. */

import type { Home } from '../../../config/home.ts';
import { bytesText, countText } from '../../../text/amounts.ts';

/** Returns the counts of the folder, and the paths that cannot be stored. */
export async function preview(folder: string, exclude: readonly string[], home: Home) {
  const { previewFolder } = await import('../../../../daemon/offline/preview-folder.ts');
  return previewFolder({ folder, exclude, home }, new AbortController().signal);
}

export type Preview = Awaited<ReturnType<typeof preview>>;

const SHOWN_PROBLEMS = 5;

export function previewLines({ files, bytes, folders, links, problems }: Preview): string[] {
  const rest = problems.length - SHOWN_PROBLEMS;
  return [
    `${countText(files, 'file')}, ${bytesText(bytes)}, in ${countText(folders, 'folder')}; ${countText(links, 'link')}`,
    ...problems.slice(0, SHOWN_PROBLEMS).map(({ message }) => `  cannot be stored: ${message}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
