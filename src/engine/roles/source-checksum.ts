/** Calculates the checksum that a copy request asks for from the bytes of the source, before the copy command runs. */

import type { Caller } from '../../object-store/caller.ts';
import type { ChecksumAlgorithm } from '../../object-store/checksum.ts';
import { runningChecksum } from '../../object-store/checksums/running-checksum.ts';
import type { CustomerKey } from '../../object-store/customer-key.ts';
import type { CallOptions, ObjectRef } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { parseChecksum } from '../schema/checksum-text.ts';
import type { CopyObject } from '../writes/commands/commands.ts';
import type { EngineParts } from './engine-parts.ts';
import { openObject, selectObject } from '../reads/read-object.ts';
import type { VersionRow } from '../schema/rows.ts';

interface ReadableSource extends ObjectRef {
  readonly customerKey?: CustomerKey;
}

/**
 * Returns the checksum, and the sequence number of the version that has it. Returns undefined if the source does not
 * exist or the caller may not read it; the copy command then throws the error.
 */
export async function sourceChecksum(
  parts: EngineParts,
  caller: Caller,
  source: ReadableSource & { readonly algorithm: ChecksumAlgorithm },
  options: CallOptions,
): Promise<CopyObject['calculated']> {
  const { algorithm, ...ref } = source;
  const row = findSource(parts, caller, ref);
  if (row === undefined) return undefined;
  const { sequence } = row;
  const known = parseChecksum(row.checksum);
  if (known?.algorithm === algorithm && known.type === 'FULL_OBJECT') {
    return { sequence, checksum: known };
  }
  const running = runningChecksum(algorithm);
  // Pass the version ID of the request, even if it is absent, because reading a version by its ID requires a different
  // permission. If the source is replaced before the copy, the copy command detects that.
  const { body } = openObject(parts, caller, ref, options);
  for await (const bytes of body) running.update(bytes);
  return { sequence, checksum: { algorithm, value: running.digest().toString('base64') } };
}

function findSource(
  { reader }: EngineParts,
  caller: Caller,
  ref: ReadableSource,
): VersionRow | undefined {
  try {
    return selectObject(reader, caller, ref).row;
  } catch (error) {
    if (isStorageError(error)) return undefined;
    throw error;
  }
}
