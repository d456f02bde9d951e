/** What a file is besides bytes, mode, owner and times: what its object tells of it so that it comes back as it was. */

import { type BigIntStats, closeSync } from 'node:fs';

import { openFile } from './file-content.ts';
import { loadXattrs, type Xattrs } from './xattrs.ts';

export interface Extras {
  readonly xattrs?: Xattrs;
  /** It has holes, which a restore makes again. */
  readonly isSparse?: true;
  /** It was written to while it was read: it may be a mixture of several states. */
  readonly isInconsistent?: true;
}

const BLOCK_BYTES = 512n;

export function extrasOf(stats: BigIntStats, xattrs: Xattrs | undefined): Extras {
  const isSparse = stats.isFile() && stats.blocks * BLOCK_BYTES < stats.size;
  return { ...(xattrs && { xattrs }), ...(isSparse && { isSparse }) };
}

/** Of a file that is not read otherwise. Throws a system error. */
export async function readXattrs(path: string): Promise<Xattrs | undefined> {
  const { read } = await loadXattrs();
  const descriptor = openFile(path);
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
