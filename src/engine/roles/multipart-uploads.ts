/** Implements `MultipartWriter` and `PartCopier` for one caller. */

import {
  copyPartByReading,
  type PartCopier,
  type CopyPartRequest,
  type CopyPartResult,
} from '../../object-store/copy-part.ts';
import type { CustomerKey } from '../../object-store/customer-key.ts';
import type * as Multipart from '../../object-store/multipart.ts';
import type * as Port from '../../object-store/object-store.ts';
import { checkPartChecksum } from '../../object-store/rules/checksums.ts';
import { otherThanUploadKey } from '../../object-store/rules/customer-keys.ts';
import { checkPartNumber } from '../../object-store/rules/multipart.ts';
import { checkNewObject } from '../../object-store/rules/new-object.ts';
import { askedOfList } from '../access/condition-values.ts';
import { objectKeyOf } from '../encryption/object-key.ts';
import { newSealing, withEncryption } from '../encryption/sealing.ts';
import { withExpiration } from '../reads/read-lifecycle.ts';
import { encodeAttributes } from '../schema/object-info.ts';
import type { UsedUpload, CallerContext } from './caller-context.ts';
import { storeBody } from './store-body.ts';

type SourceReader = Pick<Port.ObjectReader, 'getObject'>;

export class EngineMultipart implements Multipart.MultipartWriter, PartCopier {
  readonly #context: CallerContext;
  readonly #reader: SourceReader;

  constructor(context: CallerContext, reader: SourceReader) {
    this.#context = context;
    this.#reader = reader;
  }

  async createUpload(
    request: Multipart.CreateUploadRequest,
  ): Promise<Multipart.CreateUploadResult> {
    checkNewObject(request, this.#context.parts.quotas.defaults);
    const { customerKey, ...upload } = request;
    const attributes = encodeAttributes(request.attributes);
    const acl = request.acl && this.#context.resolveAcl(request.acl);
    const { encryption, sealedFor } = customerKey
      ? newSealing(customerKey, this.#context.keyPlace(request))
      : {};
    const described = { attributes, acl, encryption, sealedFor };
    const result = await this.#context.run('createUpload', { ...upload, ...described });
    return withEncryption(result, customerKey);
  }

  async completeUpload(request: Multipart.CompleteUploadRequest): Promise<Port.PutObjectResult> {
    const { customerKey: _key, ...completion } = request;
    const used = this.#context.upload(request, 'PutObject');
    this.#checkUploadKey(used, request);
    return withExpiration(
      this.#context.parts.reader,
      request,
      await this.#context.run('completeUpload', completion),
    );
  }

  async abortUpload(request: Multipart.UploadRef): Promise<void> {
    return this.#context.run('abortUpload', request);
  }

  async listParts(request: Multipart.ListPartsRequest): Promise<Multipart.PartPage> {
    const used = this.#context.upload(request, 'ListMultipartUploadParts');
    this.#checkUploadKey(used, request);
    return this.#context.parts.uploads.parts(used.bucketId, request);
  }

  /**
   * Throws the errors of `objectKeyOf` if the request has a customer key that is not the upload's key. The customer key
   * is optional here. For a completed upload, whose row no longer exists, the key is not checked, because completing an
   * upload again is allowed.
   */
  #checkUploadKey(
    { bucketId, upload }: UsedUpload,
    request: Multipart.UploadRef & { readonly customerKey?: CustomerKey },
  ): void {
    if (request.customerKey === undefined) return;
    if (upload) objectKeyOf(upload, request.customerKey, { bucketId, key: request.key });
  }

  async listUploads(request: Multipart.ListUploadsRequest): Promise<Multipart.UploadPage> {
    const asked = askedOfList({ ...request, maxKeys: request.maxUploads });
    const { bucketId } = this.#context.bucket(request.bucket, 'ListBucketMultipartUploads', {
      asked,
    });
    return this.#context.parts.uploads.uploads(bucketId, request);
  }

  async uploadPart(
    request: Multipart.UploadPartRequest,
    options: Port.CallOptions = {},
  ): Promise<Multipart.UploadPartResult> {
    return this.#putPart(request, options);
  }

  copyPart(request: CopyPartRequest, options: Port.CallOptions = {}): Promise<CopyPartResult> {
    const { source } = request;
    const store: Parameters<typeof copyPartByReading>[0] = {
      getObject: (read, call) => this.#reader.getObject(read, call),
      uploadPart: (part, call = {}) => this.#putPart(part, call, source),
    };
    return copyPartByReading(store, request, {
      ...options,
      now: () => this.#context.parts.clock.now(),
    });
  }

  /**
   * Stores a part. For a copied part, `source` is the object from which it is copied, because policy conditions can
   * depend on it.
   */
  async #putPart(
    request: Multipart.UploadPartRequest,
    options: Port.CallOptions,
    source?: Port.ObjectRef,
  ): Promise<Multipart.UploadPartResult> {
    const { bucket, key, uploadId, partNumber, body, customerKey } = request;
    const part = { bucket, key, uploadId, partNumber, source };
    checkPartNumber(partNumber, this.#context.parts.quotas.defaults.partsPerUpload);
    const { bucketId } = this.#context.upload(part, 'PutObject');
    const upload = () => this.#context.parts.uploads.find(bucketId, request);
    const place = { bucketId, key };
    const objectKey = objectKeyOf(upload(), customerKey, place, otherThanUploadKey);
    const result = await storeBody(this.#context.parts, body, options, {
      seal: objectKey && { objectKey, partNumber },
      before: () => {
        this.#context.upload(part, 'PutObject');
        const algorithm = upload().checksumAlgorithm ?? undefined;
        if (body.checksum) checkPartChecksum(body.checksum.algorithm, algorithm);
        return algorithm;
      },
      command: (content) => this.#context.run('putPart', { ...part, content }),
    });
    return withEncryption(result, customerKey);
  }
}
