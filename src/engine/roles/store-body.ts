/** Stores the body of a put or of a part. The bytes are durable before a database row refers to them. */

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
  /** Called before a large body is read; see `beforeFile` of `IncomingOptions`. */
  readonly before: () => ChecksumAlgorithm | undefined;
  /** Runs the command that stores the row. */
  readonly command: (content: Content) => Promise<Result>;
}

/**
 * Receives the body, runs the command with the stored content, and returns the result. If the command is refused, the
 * body's file is deleted.
 */
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
  return runWithContents(blobs, [content], () => command(content));
}

/**
 * Runs a command whose rows refer to the contents, and returns the result. If the command is refused, the files of the
 * contents are deleted.
 */
export async function runWithContents<Result>(
  blobs: BlobStore,
  contents: readonly Content[],
  command: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await command();
    for (const content of contents) if (content.kind === 'file') blobs.markReferenced(content);
    return result;
  } catch (error) {
    // If the writer sent no reply, a row may refer to the file. The next garbage collection checks that and deletes the
    // file if necessary.
    if (!isStorageError(error, 'ServiceUnavailable')) await discardContents(blobs, contents);
    throw error;
  }
}

/** Deletes the blob files of `contents`. No row will ever refer to them. */
export async function discardContents(
  blobs: BlobStore,
  contents: readonly Content[],
): Promise<void> {
  for (const content of contents)
    if (content.kind === 'file') await blobs.deleteUnreferenced(content);
}
