/** Puts and parts: first the bytes are durable, then a row refers to them. */

import type { Body } from '../object-store/body.ts';
import type { ChecksumAlgorithm } from '../object-store/checksum.ts';
import type { CallOptions } from '../object-store/object-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import type { Content } from './commands.ts';
import type { EngineParts } from './engine-parts.ts';
import { receive } from './incoming-body.ts';

interface Steps<Result> {
  /** As `IncomingOptions.beforeFile`. */
  readonly before: () => ChecksumAlgorithm | undefined;
  /** Makes the row. */
  readonly command: (content: Content) => Promise<Result>;
}

/** A file that no row took goes again. */
export async function storeBody<Result>(
  { blobs, writer }: EngineParts,
  body: Body,
  { signal }: CallOptions,
  { before, command }: Steps<Result>,
): Promise<Result> {
  const beforeFile = () => {
    if (writer.refusal) throw writer.refusal;
    return before();
  };
  const content = await receive(body, blobs, signal ? { signal, beforeFile } : { beforeFile });
  if (content.kind === 'inline') return command(content);
  try {
    const result = await command(content);
    blobs.named(content);
    return result;
  } catch (error) {
    // Without an answer from the writer a row may name the file: then it is the next sweep that decides.
    if (!isStorageError(error, 'ServiceUnavailable')) await blobs.disown(content);
    throw error;
  }
}
