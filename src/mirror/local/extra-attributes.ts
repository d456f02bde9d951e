/**
 * Reads file properties that the object's metadata contains in addition to mode, owner and times: extended
 * attributes and holes.
 */

import { type BigIntStats, closeSync } from 'node:fs';

import { openFile } from './file-content.ts';
import { loadXattrs, type Xattrs } from './xattrs.ts';

export interface ExtraAttributes {
  readonly xattrs?: Xattrs;
  /** The file has holes, which a restore creates again. */
  readonly isSparse?: true;
  /** The file was written to while it was read, so the content may mix several states. */
  readonly isInconsistent?: true;
}

const BLOCK_BYTES = 512n;

export function extraAttributesOf(stats: BigIntStats, xattrs: Xattrs | undefined): ExtraAttributes {
  const isSparse = stats.isFile() && stats.blocks * BLOCK_BYTES < stats.size;
  return { ...(xattrs && { xattrs }), ...(isSparse && { isSparse }) };
}

/** Reads the extended attributes of a file whose content is not read. Rejects with a system error. */
export async function readXattrs(path: string): Promise<Xattrs | undefined> {
  const { read } = await loadXattrs();
  const descriptor = openFile(path);
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
