/**
 * Receives the body of an upload. Keeps a small body in memory, and writes a larger one to a blob file while hashing
 * it.
 */

import type { Body } from '../../object-store/body.ts';
import type { RequestedChecksum, ChecksumAlgorithm } from '../../object-store/checksum.ts';
import type { CallOptions } from '../../object-store/object-store.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { abortable } from '../../base/abortable.ts';
import { GatheredBytes } from '../../base/gathered-bytes.ts';
import { BlobWriter } from './blob-writer.ts';
import type { BlobStore } from './blob-store.ts';
import type { Content, InlineContent, SealedContent } from './content.ts';
import { BlobSealer, type SealUnder } from '../encryption/blob-sealer.ts';
import { PLAIN_SEGMENT_BYTES } from '../encryption/sealed-bytes.ts';
import { sealedContent } from './sealed-content.ts';
import { KeptChecksum } from '../checksums/kept-checksum.ts';
import { sha256Mismatch } from '../disk/refusals.ts';

/**
 * The size of the largest body that is stored in the database. Many small bodies share one sync of the database, but
 * each file needs two syncs and an inode. According to performance.md, files become faster between 16 and 64 KiB.
 */
export const MAX_INLINE_BYTES = 64 * 1024;

/** The size of the largest body of one upload or part (semantics B.17). */
const MAX_BODY_BYTES = 5 * 1024 ** 3;

export interface IncomingOptions extends CallOptions {
  /**
   * Called before a large body is read. If the command would be refused, throws the error of the command, so that the
   * client does not send the body in vain. Returns the checksum algorithm for a body without a checksum; undefined
   * means the default.
   */
  readonly beforeFile: () => ChecksumAlgorithm | undefined;
  /** The key with which the body is encrypted. Absent if the body is stored unencrypted. */
  readonly seal?: SealUnder | undefined;
}

/**
 * Reads the whole body and returns its content. Throws `IncompleteBody`, `EntityTooLarge`, `XAmzContentSHA256Mismatch`,
 * `BadDigest`, the errors of `beforeFile` and of the stream, or the signal's reason. After an error, no bytes remain on
 * the disk.
 */
export async function receive(
  body: Body,
  blobs: BlobStore,
  options: IncomingOptions,
): Promise<Content> {
  const { beforeFile, signal, seal } = options;
  // An encrypted body is stored in the database only if it fits into one segment.
  const maxInlineBytes = seal === undefined ? MAX_INLINE_BYTES : PLAIN_SEGMENT_BYTES;
  const announced = body.sizeBytes ?? 0;
  if (announced > MAX_BODY_BYTES) throw tooLarge(announced);
  const { bytes } = body;
  if (bytes === undefined || announced > maxInlineBytes) beforeFile();
  if (bytes !== undefined && bytes.byteLength <= maxInlineBytes) {
    signal?.throwIfAborted();
    // Copy the bytes, because a message to the writer thread would contain the whole buffer of a view.
    return inline(body, new Uint8Array(bytes), options);
  }
  const small = new GatheredBytes(maxInlineBytes);
  let sizeBytes = 0;
  let file: BlobWriter | undefined;
  try {
    // The stream reuses the memory of its chunks; `file` and `small` copy each chunk.
    for await (const chunk of abortable(body.open({ reusesChunks: true }), signal)) {
      sizeBytes += chunk.byteLength;
      checkSize(body, sizeBytes);
      if (!file && sizeBytes <= maxInlineBytes) {
        small.add(chunk);
        continue;
      }
      if (!file) {
        file = await openFile(body, blobs, options);
        await file.write(small.whole());
      }
      await file.write(chunk);
    }
    if (!file) return inline(body, small.whole(), options);
    checkWhole(body, sizeBytes);
    return await finishFile(file, body);
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

function openFile(
  { sizeBytes, sha256, checksum: asked }: Body,
  blobs: BlobStore,
  { beforeFile, seal }: IncomingOptions,
): Promise<BlobWriter> {
  const otherwise = beforeFile();
  if (seal === undefined) {
    return BlobWriter.open(blobs, { sizeBytes, checksum: new KeptChecksum(asked, otherwise) });
  }
  const checksum = KeptChecksum.alone(asked, otherwise);
  const statesSha256 = sha256 !== undefined;
  return BlobWriter.open(blobs, {
    sizeBytes,
    checksum,
    sealing: { sealer: new BlobSealer(seal), statesSha256 },
  });
}

type SmallOptions = Pick<IncomingOptions, 'beforeFile' | 'seal'>;

/**
 * Returns the content of a small body in memory. Throws `IncompleteBody`. For an encrypted body, also throws
 * `XAmzContentSHA256Mismatch`, `BadDigest` and the errors of `beforeFile`; the digests of an unencrypted body are
 * verified by the writer thread.
 */
export function inline(
  body: Pick<Body, 'checksum' | 'sha256' | 'sizeBytes'>,
  bytes: Uint8Array,
  { seal, beforeFile }: SmallOptions,
): InlineContent | SealedContent {
  checkWhole(body, bytes.byteLength);
  if (seal !== undefined) return sealedContent(seal, bytes, body, beforeFile());
  return { kind: 'inline', bytes, statedSha256: body.sha256, checksum: plain(body.checksum) };
}

/** Returns a copy of the checksum that can be sent to another thread, because `value` may be a getter. */
function plain(checksum: Body['checksum']): RequestedChecksum | undefined {
  return checksum && { algorithm: checksum.algorithm, value: checksum.value };
}

function checkWhole(body: Pick<Body, 'sizeBytes'>, sizeBytes: number): void {
  if (body.sizeBytes !== undefined && sizeBytes !== body.sizeBytes)
    throw incomplete(body, sizeBytes);
}

async function finishFile(file: BlobWriter, body: Body): Promise<Content> {
  const digests = await file.finish();
  const { bodySha256 = '' } = digests;
  if (body.sha256 !== undefined && body.sha256 !== bodySha256)
    throw sha256Mismatch(body.sha256, bodySha256);
  return file.keep(digests);
}

/** Throws `IncompleteBody` or `EntityTooLarge` as soon as the body is too long, before it can fill the disk. */
function checkSize(body: Body, sizeBytes: number): void {
  if (body.sizeBytes !== undefined && sizeBytes > body.sizeBytes) throw incomplete(body, sizeBytes);
  if (sizeBytes > MAX_BODY_BYTES) throw tooLarge(sizeBytes);
}

function incomplete(body: Pick<Body, 'sizeBytes'>, sizeBytes: number): StorageError {
  return new StorageError(
    'IncompleteBody',
    `store body: it has ${sizeBytes} bytes instead of the announced ${body.sizeBytes}`,
    { details: { ExpectedSize: body.sizeBytes ?? 0, ActualSize: sizeBytes } },
  );
}

function tooLarge(sizeBytes: number): StorageError {
  return new StorageError(
    'EntityTooLarge',
    `store body: it has ${sizeBytes} bytes; the limit is ${MAX_BODY_BYTES}; use a multipart upload`,
    { details: { ProposedSize: sizeBytes, MaxSizeAllowed: MAX_BODY_BYTES } },
  );
}
