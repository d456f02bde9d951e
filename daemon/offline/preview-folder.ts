/** Counts the files that a job of a folder would upload, for `holdfast init`. Needs no daemon. */

import { existsSync } from 'node:fs';

import type { Home } from '../../src/config/home.ts';
import { createExcluder } from '../../src/mirror/local/exclude.ts';
import { scanTree } from '../../src/mirror/local/scan.ts';

export interface FolderPreview {
  readonly files: number;
  readonly bytes: number;
  readonly folders: number;
  readonly links: number;
  /** Paths that cannot be mirrored, each with the reason. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Throws MirrorError for a folder that cannot have a job. Rejects with the signal's reason. */
export async function previewFolder(
  { folder, exclude, home }: { folder: string; exclude: readonly string[]; home: Home },
  signal: AbortSignal,
): Promise<FolderPreview> {
  const protectedFolders = home.ownFolders.filter((each) => existsSync(each));
  const excluder = createExcluder({ root: folder, patterns: exclude, protectedFolders });
  const count = { file: 0, directory: 0, link: 0, bytes: 0 };
  const problems: { path: string; message: string }[] = [];
  for await (const scan of scanTree(folder, '', excluder, { signal })) {
    for (const { path, message } of scan.problems) problems.push({ path, message });
    for (const { kind, sizeBytes } of scan.entries) {
      count[kind === 'file' || kind === 'directory' ? kind : 'link'] += 1;
      if (kind === 'file') count.bytes += sizeBytes;
    }
  }
  const { file: files, directory: folders, link: links, bytes } = count;
  return { files, folders, links, bytes, problems };
}
