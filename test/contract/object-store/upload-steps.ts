/** Steps of a multipart upload that several contract tests use. */

import { expect } from 'vitest';

import type { CompletedPart, UploadRef } from '../../../src/object-store/multipart.ts';
import type { PutObjectResult } from '../../../src/object-store/object-store.ts';
import { md5, streamBody } from './subject.ts';
import type { Subject } from './subject.ts';

export interface UploadSteps {
  /** Creates a multipart upload, in a new bucket with versioning unless `bucket` is given. */
  readonly begin: (key?: string, bucket?: string) => Promise<UploadRef>;
  readonly add: (
    upload: UploadRef,
    partNumber: number,
    bytes: Uint8Array | string,
  ) => Promise<CompletedPart>;
  readonly complete: (
    upload: UploadRef,
    parts: readonly CompletedPart[],
  ) => Promise<PutObjectResult>;
}

export function uploadSteps(subject: Subject): UploadSteps {
  return {
    begin: async (key = 'k', bucket) => {
      const ref = { bucket: bucket ?? (await subject.bucket('Enabled')), key };
      return { ...ref, ...(await subject.store.createUpload(ref)) };
    },
    add: async (upload, partNumber, bytes) => {
      const body = streamBody(Buffer.from(bytes), { sizeBytes: bytes.length });
      const { etag } = await subject.store.uploadPart({ ...upload, partNumber, body });
      expect(etag).toBe(md5(bytes));
      return { partNumber, etag };
    },
    complete: (upload, parts) => subject.store.completeUpload({ ...upload, parts }),
  };
}
