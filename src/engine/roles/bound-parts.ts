/** The parts of uploads, as one caller puts them. */

import {
  copyPartByReading,
  type CopyPartRequest,
  type CopyPartResult,
} from '../../object-store/copy-part.ts';
import type { UploadPartRequest, UploadPartResult } from '../../object-store/multipart.ts';
import type {
  CallOptions,
  HeadObjectRequest,
  ObjectContent,
  ObjectRef,
  ReadOptions,
} from '../../object-store/object-store.ts';
import { checkPartChecksum } from '../../object-store/rules/checksums.ts';
import { otherThanUploadKey } from '../../object-store/rules/customer-keys.ts';
import { checkPartNumber } from '../../object-store/rules/multipart.ts';
import { BoundAccess } from './bound-access.ts';
import { objectKeyOf } from '../encryption/object-key.ts';
import { toldWith } from '../encryption/sealing.ts';
import { storeBody } from './store-body.ts';

export abstract class BoundParts extends BoundAccess {
  abstract getObject(request: HeadObjectRequest, options?: ReadOptions): Promise<ObjectContent>;

  async uploadPart(
    request: UploadPartRequest,
    options: CallOptions = {},
  ): Promise<UploadPartResult> {
    return this.#putPart(request, options);
  }

  copyPart(request: CopyPartRequest, options: CallOptions = {}): Promise<CopyPartResult> {
    const { source } = request;
    const store: Parameters<typeof copyPartByReading>[0] = {
      getObject: (read, call) => this.getObject(read, call),
      uploadPart: (part, call = {}) => this.#putPart(part, call, source),
    };
    return copyPartByReading(store, request, { ...options, now: () => this.parts.clock.now() });
  }

  /** `source`: of one that is copied, which policies may ask for. */
  async #putPart(
    request: UploadPartRequest,
    options: CallOptions,
    source?: ObjectRef,
  ): Promise<UploadPartResult> {
    const { bucket, key, uploadId, partNumber, body, customerKey } = request;
    const part = { bucket, key, uploadId, partNumber, source };
    checkPartNumber(partNumber, this.parts.quotas.defaults.partsPerUpload);
    const { bucketId } = this.upload(part, 'PutObject');
    const upload = () => this.parts.uploads.find(bucketId, request);
    const place = { bucketId, key };
    const objectKey = objectKeyOf(upload(), customerKey, place, otherThanUploadKey);
    const result = await storeBody(this.parts, body, options, {
      seal: objectKey && { objectKey, partNumber },
      before: () => {
        this.upload(part, 'PutObject');
        const algorithm = upload().checksumAlgorithm ?? undefined;
        if (body.checksum) checkPartChecksum(body.checksum.algorithm, algorithm);
        return algorithm;
      },
      command: (content) => this.run('putPart', { ...part, content }),
    });
    return toldWith(result, customerKey);
  }
}
