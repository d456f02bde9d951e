/**
 * Implements multipart uploads for the sink server. Stores only the MD5 and size of each part, and combines them on
 * completion.
 */

import { createHash, randomUUID } from 'node:crypto';

interface Part {
  readonly md5: Buffer;
  readonly sizeBytes: number;
}

interface Upload {
  readonly name: string;
  readonly metadata: readonly (readonly [string, string])[];
  readonly parts: Map<number, Part>;
}

const uploads = new Map<string, Upload>();

/** Creates a multipart upload, and returns its id. */
export function beginUpload(name: string, metadata: Upload['metadata']): string {
  const id = randomUUID();
  uploads.set(id, { name, metadata, parts: new Map() });
  return id;
}

/** Stores the MD5 and size of a part. Returns false if the upload does not exist. */
export function putPart(id: string, number: number, part: Part): boolean {
  return uploads.get(id)?.parts.set(number, part) !== undefined;
}

export function endUpload(id: string): void {
  uploads.delete(id);
}

/** Returns the object that the uploaded parts form. The upload remains until `endUpload` is called. */
export function uploadOf(id: string) {
  const upload = uploads.get(id);
  if (!upload) return undefined;
  const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
  const md5 = createHash('md5').update(Buffer.concat(parts.map((part) => part.md5)));
  return {
    etag: `${md5.digest('hex')}-${parts.length}`,
    sizeBytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    metadata: upload.metadata,
  };
}
