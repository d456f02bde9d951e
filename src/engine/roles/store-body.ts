/** Puts and parts: first the bytes are durable, then a row refers to them. */

import { defined } from '../../base/defined.ts';
import type { Body } from '../../object-store/body.ts';
import type { ChecksumAlgorithm } from '../../object-store/checksum.ts';
import type { CallOptions } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Content } from '../blobs/content.ts';
import type { EngineParts } from './engine-parts.ts';
import { receive, type IncomingOptions } from '../blobs/incoming-body.ts';

interface Steps<Result> extends Pick<IncomingOptions, 'seal'> {
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
  { before, command, seal }: Steps<Result>,
): Promise<Result> {
  const beforeFile = () => {
    if (writer.refusal) throw writer.refusal;
    return before();
  };
  const content = await receive(body, blobs, defined({ signal, beforeFile, seal }));
  return namedBy(blobs, [content], () => command(content));
}

/** Files that the command's rows name are named from then on; those that it was refused with are gone. */
export async function namedBy<Result>(
  blobs: BlobStore,
  contents: readonly Content[],
  command: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await command();
    for (const content of contents) if (content.kind === 'file') blobs.named(content);
    return result;
  } catch (error) {
    // Without an answer from the writer a row may name the file: then it is the next sweep that decides.
    if (!isStorageError(error, 'ServiceUnavailable')) await disown(blobs, contents);
    throw error;
  }
}

/** No row will name what was stored. */
export async function disown(blobs: BlobStore, contents: readonly Content[]): Promise<void> {
  for (const content of contents) if (content.kind === 'file') await blobs.disown(content);
}
