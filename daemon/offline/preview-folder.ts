/** Counts the files that a job for a folder would upload, for `holdfast init`. Works without a running daemon. */

import { existsSync } from 'node:fs';

import { defined } from '../../src/base/defined.ts';
import type { Home } from '../../src/config/home.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { scanTree } from '../../src/mirror/local/scan.ts';

export interface FolderPreview {
  readonly files: number;
  readonly bytes: number;
  readonly folders: number;
  readonly links: number;
  /** The paths that cannot be backed up, each with the reason. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

interface PreviewOptions {
  readonly folder: string;
  readonly exclude: readonly string[];
  readonly cacheDirs?: 'exclude' | 'keep';
  readonly home: Home;
  /** Called after each folder with the number and total size of the files so far. */
  readonly onScanned?: (files: number, bytes: number) => void;
}

/**
 * Counts the files. Throws MirrorError for a folder that cannot have a job. Rejects with the
 * signal's reason.
 */
export async function previewFolder(
  { folder, exclude, cacheDirs, home, onScanned }: PreviewOptions,
  signal: AbortSignal,
): Promise<FolderPreview> {
  const protectedFolders = home.ownFolders.filter((each) => existsSync(each));
  const excluder = createExcluder({
    root: folder,
    patterns: exclude,
    protectedFolders,
    ...defined({ cacheDirs }),
  });
  const count = { file: 0, directory: 0, link: 0, bytes: 0 };
  const problems: { path: string; message: string }[] = [];
  for await (const scan of scanTree(folder, '', excluder, { signal })) {
    for (const { path, message } of scan.problems) problems.push({ path, message });
    for (const { kind, sizeBytes } of scan.entries) {
      count[kind === 'file' || kind === 'directory' ? kind : 'link'] += 1;
      if (kind === 'file') count.bytes += sizeBytes;
    }
    onScanned?.(count.file, count.bytes);
  }
  const { file: files, directory: folders, link: links, bytes } = count;
  return { files, folders, links, bytes, problems };
}
