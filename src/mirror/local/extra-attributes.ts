/**
 * Reads the file properties that metadata contains in addition to mode, owner and times: extended attributes and holes.
 */

import { type BigIntStats, closeSync } from 'node:fs';

import { openFile } from './file-content.ts';
import { loadXattrs, type Xattrs } from './xattrs.ts';

export interface ExtraAttributes {
  readonly xattrs?: Xattrs;
  /** Set if the file has holes. A restore creates them again. */
  readonly isSparse?: true;
  /** Set if the file was written to while it was read, so that its content may mix several states. */
  readonly isInconsistent?: true;
}

const BLOCK_BYTES = 512n;

export function extraAttributesOf(stats: BigIntStats, xattrs: Xattrs | undefined): ExtraAttributes {
  const isSparse = stats.isFile() && stats.blocks * BLOCK_BYTES < stats.size;
  return { ...(xattrs && { xattrs }), ...(isSparse && { isSparse }) };
}

/** Reads a file's extended attributes without its content. Rejects with a system error. */
export async function readXattrs(path: string): Promise<Xattrs | undefined> {
  const { read } = await loadXattrs();
  const descriptor = openFile(path);
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
