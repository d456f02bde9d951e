/**
 * Prepares a copy whose source or destination is encrypted. If both have the same customer key, the copy shares the
 * bytes of its source, and only the object key is encrypted again. Otherwise all bytes are encrypted again. A user who
 * changes a customer key may no longer trust the old key, so the old key must not decrypt the copy.
 */

import type { KeyObject } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { CallOptions, CopyObjectRequest } from '../../object-store/object-store.ts';
import type { CopiedPart, CopyObject } from '../writes/commands/commands.ts';
import type { Content } from '../blobs/content.ts';
import type { EngineParts } from './engine-parts.ts';
import { receive } from '../blobs/incoming-body.ts';
import type { PlacedBlob } from '../reads/metadata-reader.ts';
import { ObjectBody } from '../reads/object-body.ts';
import { selectVersion } from '../reads/read-object.ts';
import { discardContents, runWithContents } from './store-body.ts';
import { viewOf } from '../encryption/blob-view.ts';
import { type KeyPlace, objectKeyOf, wrapObjectKey } from '../encryption/object-key.ts';
import { newSealing, type Sealing } from '../encryption/sealing.ts';

type Prepared = Pick<CopyObject, 'encryption' | 'prepared' | 'sealedFor'>;

interface CopyWithKeys extends Pick<
  CopyObjectRequest,
  'customerKey' | 'source' | 'sourceCustomerKey'
> {
  /** The bucket and the key of the copy. */
  readonly place: KeyPlace;
}

interface OpenPart extends Pick<PlacedBlob, 'checksum' | 'partNumber'> {
  readonly sizeBytes: number;
  readonly body: ObjectBody;
}

/**
 * The unencrypted bytes of a copy's source, with one body for each blob. The files of the blobs are not deleted until
 * each body is read to its end or closed with `return`.
 */
interface OpenSource {
  readonly sequence: number;
  readonly parts: readonly OpenPart[];
}

/**
 * Prepares the copy, and returns the result of `command`, which stores the row. Throws the errors of `objectKeyOf` if a
 * customer key is missing or wrong.
 */
export async function copyWithKeys<Result>(
  parts: EngineParts,
  caller: Caller,
  { request, options }: { readonly request: CopyWithKeys; readonly options: CallOptions },
  command: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const { customerKey, place } = request;
  const source = parts.reader.snapshot(() => openSource(parts, caller, request, options));
  // If the source is missing, the command throws the error.
  if (source === undefined) return command({});
  if (!('parts' in source)) return command(source);
  const sealing = customerKey && newSealing(customerKey, place);
  const copied = await rewrite(parts, source, sealing, options);
  const prepared = { sequence: source.sequence, parts: copied };
  const { encryption, sealedFor } = sealing ?? {};
  return runWithContents(parts.blobs, contentsOf(copied), () =>
    command(defined({ encryption, sealedFor, prepared })),
  );
}

function contentsOf(parts: readonly CopiedPart[]): readonly Content[] {
  return parts.map(({ content }) => content);
}

/**
 * Returns the bodies of the source. If the copy can share the bytes of the source, returns instead the values that the
 * command needs for that. Returns undefined if the source is a delete marker. Must be called in a snapshot.
 */
function openSource(
  { reader, blobs, reportDamage }: EngineParts,
  caller: Caller,
  { source, sourceCustomerKey, customerKey, place }: CopyWithKeys,
  options: CallOptions,
): OpenSource | Prepared | undefined {
  const { bucket, row } = selectVersion(reader, caller, source);
  if (row.isDeleteMarker !== 0) return undefined;
  const { sequence } = row;
  const objectKey = objectKeyOf(row, sourceCustomerKey, {
    bucketId: bucket.bucketId,
    key: source.key,
  });
  if (objectKey && customerKey && sourceCustomerKey?.equals(customerKey)) {
    const encryption = wrapObjectKey(objectKey, customerKey, place);
    return { encryption, sealedFor: place.bucketId, prepared: { sequence } };
  }
  const name = `${source.bucket}/${source.key}`;
  const parts = reader.blobs(row, 0, Number.MAX_SAFE_INTEGER).map((part) => {
    const sizeBytes = sizeOf(part, objectKey);
    const span = { first: 0, last: sizeBytes - 1 };
    const alone = Object.assign(part, { firstByte: 0 });
    const from = { ...options, blobs, parts: [alone], objectKey, span, name, reportDamage };
    const { partNumber, checksum } = part;
    const body = new ObjectBody({ ...from, reusesChunks: true });
    return { partNumber, checksum, sizeBytes, body };
  });
  return { sequence, parts };
}

/** Returns the number of unencrypted bytes of a blob. Returns 0 for a blob that `ObjectBody` refuses to read. */
function sizeOf(part: PlacedBlob, objectKey: KeyObject | undefined): number {
  return viewOf(part, objectKey)?.sizeBytes ?? 0;
}

/** Writes each blob of the source again, and returns the written parts. If a write fails, deletes all written files. */
async function rewrite(
  { blobs, writer }: EngineParts,
  { parts }: OpenSource,
  sealing: Sealing | undefined,
  { signal }: CallOptions,
): Promise<readonly CopiedPart[]> {
  const copied: CopiedPart[] = [];
  const beforeFile = () => {
    if (writer.refusal) throw writer.refusal;
    return undefined;
  };
  try {
    for (const { partNumber, checksum, sizeBytes, body: source } of parts) {
      const seal = sealing && { objectKey: sealing.objectKey, partNumber };
      const body = { sizeBytes, replayable: false, open: () => source };
      const content = await receive(body, blobs, defined({ signal, beforeFile, seal }));
      copied.push({ partNumber, checksum, content });
    }
    return copied;
  } catch (error) {
    await discardContents(blobs, contentsOf(copied));
    throw error;
  } finally {
    await Promise.all(parts.map(({ body }) => body.return()));
  }
}
