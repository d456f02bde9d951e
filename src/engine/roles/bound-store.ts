/** The engine as one caller sees it. Reads are answered here; writes go to the writer thread. */

import { defined } from '../../base/defined.ts';
import { principalId, projectId } from '../../base/principal.ts';
import type { DeleteObjectsRequest, DeleteObjectsResult } from '../../object-store/bulk-delete.ts';
import type { CustomerKey } from '../../object-store/customer-key.ts';
import type * as Buckets from '../../object-store/buckets.ts';
import type * as Listing from '../../object-store/listing.ts';
import type * as Locks from '../../object-store/locks.ts';
import type * as Multipart from '../../object-store/multipart.ts';
import type {
  GetObjectAttributesRequest,
  ObjectDescription,
} from '../../object-store/object-attributes.ts';
import type * as Port from '../../object-store/object-store.ts';
import { checkRedirect } from '../../object-store/rules/metadata.ts';
import { checkBucketName, checkKey } from '../../object-store/rules/naming.ts';
import { checkNewObject } from '../../object-store/rules/new-object.ts';
import { checkBulkDelete } from '../../object-store/rules/quota.ts';
import { checkBucketTags, checkObjectTags } from '../../object-store/rules/tags.ts';
import type { ServiceTime } from '../../object-store/service-clock.ts';
import type * as Tags from '../../object-store/tags.ts';
import { allow, decide } from '../access/access.ts';
import type { UsedUpload } from './bound-calls.ts';
import { BoundParts } from './bound-parts.ts';
import type { TaggedVersion } from '../writes/commands/commands.ts';
import { deleteObjects } from './delete-objects.ts';
import { askedOfList } from '../access/condition-values.ts';
import { describeObject } from '../reads/describe-object.ts';
import { objectKeyOf } from '../encryption/object-key.ts';
import { copyWithKeys } from './prepared-copy.ts';
import { newSealing, toldWith } from '../encryption/sealing.ts';
import { encodeAttributes } from '../schema/object-info.ts';
import { readLegalHold, readLockConfiguration, readRetention } from '../reads/read-locks.ts';
import { reading } from '../disk/metadata-damage.ts';
import { existingBucket, nameOf, openObject, selectObject } from '../reads/read-object.ts';
import { readBucketTags, readObjectTags } from '../reads/read-tags.ts';
import { namelessDenied } from '../disk/refusals.ts';
import { sourceChecksum } from './source-checksum.ts';
import { storeBody } from './store-body.ts';

export class BoundStore extends BoundParts implements Port.ObjectStore {
  async headObject(request: Port.HeadObjectRequest): Promise<Port.ObjectHead> {
    const { reader } = this.parts;
    const select = () => selectObject(reader, this.caller, request).head;
    return reading(`read object ${nameOf(request)}`, () =>
      request.partNumber === undefined ? select() : reader.snapshot(select),
    );
  }

  async getObjectAttributes(request: GetObjectAttributesRequest): Promise<ObjectDescription> {
    return reading(`read object ${nameOf(request)}`, () =>
      describeObject(this.parts.reader, this.caller, request),
    );
  }

  async getObject(
    request: Port.HeadObjectRequest,
    options: Port.ReadOptions = {},
  ): Promise<Port.ObjectContent> {
    return reading(`read object ${nameOf(request)}`, () =>
      openObject(this.parts, this.caller, request, options),
    );
  }

  async listObjects(request: Listing.ListObjectsRequest): Promise<Listing.ObjectPage> {
    const { bucketId } = this.bucket(request.bucket, 'ListBucket', { asked: askedOfList(request) });
    return reading(`list bucket ${request.bucket}`, () =>
      this.parts.objects.page(bucketId, request),
    );
  }

  async listVersions(request: Listing.ListVersionsRequest): Promise<Listing.VersionPage> {
    const asked = askedOfList(request);
    const { bucketId } = this.bucket(request.bucket, 'ListBucketVersions', { asked });
    return reading(`list versions of bucket ${request.bucket}`, () =>
      this.parts.versions.page(bucketId, request),
    );
  }

  async putObject(
    request: Port.PutObjectRequest,
    options: Port.CallOptions = {},
  ): Promise<Port.PutObjectResult> {
    const { bucket, key, body, attributes, tags, lock, conditions, customerKey } = request;
    checkNewObject(request, this.parts.quotas.defaults);
    const acl = this.resolveAcl(request.acl);
    const seal = customerKey && newSealing(customerKey, this.keyPlace(request));
    const result = await storeBody(this.parts, body, options, {
      seal,
      before: () => {
        this.allowWrite(bucket, request);
        return undefined;
      },
      command: (content) =>
        this.run('putObject', {
          bucket,
          key,
          content,
          acl,
          tags,
          lock,
          conditions,
          attributes: encodeAttributes(attributes),
          encryption: seal?.encryption,
          sealedFor: seal?.sealedFor,
        }),
    });
    return this.expiring(request, toldWith(result, customerKey));
  }

  async copyObject(
    request: Port.CopyObjectRequest,
    options: Port.CallOptions = {},
  ): Promise<Port.CopyObjectResult> {
    checkKey(request.source.key);
    checkNewObject(request, this.parts.quotas.defaults);
    checkRedirect(request.websiteRedirect);
    const attributes = encodeAttributes(request.attributes);
    const { customerKey, sourceCustomerKey, ...copy } = request;
    const { checksumAlgorithm: algorithm } = request;
    const source = defined({ ...request.source, customerKey: sourceCustomerKey });
    const isEncrypted = customerKey !== undefined || sourceCustomerKey !== undefined;
    // Before a byte is read for it, or written anew.
    if (isEncrypted || algorithm !== undefined) this.allowWrite(request.bucket, request);
    const calculated =
      algorithm &&
      (await sourceChecksum(this.parts, this.caller, { ...source, algorithm }, options));
    const acl = this.resolveAcl(request.acl);
    const command = { ...copy, attributes, acl, calculated };
    if (!isEncrypted) return this.expiring(request, await this.run('copyObject', command));
    const keyed = { request: { ...request, place: this.keyPlace(request) }, options };
    const result = await copyWithKeys(this.parts, this.caller, keyed, (prepared) =>
      this.run('copyObject', { ...command, ...prepared }),
    );
    return this.expiring(request, toldWith(result, customerKey));
  }

  async deleteObject(request: Port.DeleteObjectRequest): Promise<Port.DeleteObjectResult> {
    return this.#delete(request);
  }

  async #delete(
    request: Port.DeleteObjectRequest,
    bulk?: number,
  ): Promise<Port.DeleteObjectResult> {
    checkKey(request.key);
    const bypassGovernance = request.bypassGovernance === true;
    return this.run('deleteObject', { ...request, bypassGovernance, bulk });
  }

  async deleteObjects(request: DeleteObjectsRequest): Promise<DeleteObjectsResult> {
    existingBucket(this.parts.reader, request.bucket);
    checkBulkDelete(request.objects.length, this.parts.quotas.defaults.keysPerBulkDelete);
    return deleteObjects(request, (each, bulk) => this.#delete(each, bulk));
  }

  async createUpload(
    request: Multipart.CreateUploadRequest,
  ): Promise<Multipart.CreateUploadResult> {
    checkNewObject(request, this.parts.quotas.defaults);
    const { customerKey, ...upload } = request;
    const attributes = encodeAttributes(request.attributes);
    const acl = this.resolveAcl(request.acl);
    const { encryption, sealedFor } = customerKey
      ? newSealing(customerKey, this.keyPlace(request))
      : {};
    const described = { attributes, acl, encryption, sealedFor };
    const result = await this.run('createUpload', { ...upload, ...described });
    return toldWith(result, customerKey);
  }

  async completeUpload(request: Multipart.CompleteUploadRequest): Promise<Port.PutObjectResult> {
    const { customerKey: _key, ...completion } = request;
    const used = this.upload(request, 'PutObject');
    this.#checkUploadKey(used, request);
    return this.expiring(request, await this.run('completeUpload', completion));
  }

  async abortUpload(request: Multipart.UploadRef): Promise<void> {
    return this.run('abortUpload', request);
  }

  async listParts(request: Multipart.ListPartsRequest): Promise<Multipart.PartPage> {
    const used = this.upload(request, 'ListMultipartUploadParts');
    this.#checkUploadKey(used, request);
    return this.parts.uploads.parts(used.bucketId, request);
  }

  /** What needs no key refuses a wrong one. An upload that is completed is found no more, and may be completed again. */
  #checkUploadKey(
    { bucketId, upload }: UsedUpload,
    request: Multipart.UploadRef & { readonly customerKey?: CustomerKey },
  ): void {
    if (request.customerKey === undefined) return;
    if (upload) objectKeyOf(upload, request.customerKey, { bucketId, key: request.key });
  }

  async listUploads(request: Multipart.ListUploadsRequest): Promise<Multipart.UploadPage> {
    const asked = askedOfList({ ...request, maxKeys: request.maxUploads });
    const { bucketId } = this.bucket(request.bucket, 'ListBucketMultipartUploads', { asked });
    return this.parts.uploads.uploads(bucketId, request);
  }

  async createBucket(request: Buckets.CreateBucketRequest): Promise<void> {
    const { bucket, objectLockEnabled = false } = request;
    checkBucketName(bucket);
    const acl = this.resolveAcl(request.acl);
    return this.changeBucket('createBucket', { bucket, objectLockEnabled, acl });
  }

  async deleteBucket({ bucket }: { readonly bucket: string }): Promise<void> {
    return this.changeBucket('deleteBucket', { bucket });
  }

  async headBucket({ bucket }: { readonly bucket: string }): Promise<Buckets.BucketHead> {
    const row = this.bucket(bucket, 'ListBucket');
    const { bucketId } = row;
    const { reader, quotas } = this.parts;
    const { principal } = this.caller;
    const isOwn = principal.kind === 'user' && projectId(principal) === projectId(row);
    const limits = isOwn ? quotas.limitsOf(row) : undefined;
    return defined({ owner: principalId(row), usage: reader.usage(bucketId), limits });
  }

  async listBuckets(): Promise<readonly Buckets.ListedBucket[]> {
    const { principal } = this.caller;
    if (principal.kind !== 'user') throw namelessDenied('list buckets');
    const buckets = this.parts.reader.bucketsOf(principal);
    return buckets.map(({ name, createdAt }) => ({ name, createdAt }));
  }

  async getBucketLocation({ bucket }: { readonly bucket: string }): Promise<string> {
    const row = existingBucket(this.parts.reader, bucket);
    // Tools ask for it before they list, and who may list is to be told (semantics B.2).
    const { by } = decide(this.caller, row, { action: 'GetBucketLocation' });
    const action = by.kind === 'nothing' ? 'ListBucket' : 'GetBucketLocation';
    allow(this.caller, row, { action });
    return this.parts.region;
  }

  async getVersioning({
    bucket,
  }: {
    readonly bucket: string;
  }): Promise<Buckets.Versioning | undefined> {
    return this.bucket(bucket, 'GetBucketVersioning').versioning ?? undefined;
  }

  async putVersioning(request: {
    readonly bucket: string;
    readonly versioning: Buckets.Versioning;
  }): Promise<void> {
    return this.changeBucket('putVersioning', request);
  }

  async getObjectLockConfiguration({
    bucket,
  }: {
    readonly bucket: string;
  }): Promise<Locks.ObjectLockConfiguration> {
    return readLockConfiguration(this.bucket(bucket, 'GetBucketObjectLockConfiguration'));
  }

  async putObjectLockConfiguration(request: Locks.PutLockConfigurationRequest): Promise<void> {
    return this.changeBucket('putLockConfiguration', request);
  }

  async serviceTime(): Promise<ServiceTime> {
    return { now: this.parts.trustedTime.read().trustedNow, isTrusted: true };
  }

  async getRetention(request: Port.ObjectRef): Promise<Port.Retention> {
    return readRetention(this.parts.reader, this.caller, request);
  }

  async putRetention(request: Locks.PutRetentionRequest): Promise<void> {
    checkKey(request.key);
    const bypassGovernance = request.bypassGovernance === true;
    return this.run('putRetention', { ...request, bypassGovernance });
  }

  async getLegalHold(request: Port.ObjectRef): Promise<boolean> {
    return readLegalHold(this.parts.reader, this.caller, request);
  }

  async putLegalHold(request: Locks.PutLegalHoldRequest): Promise<void> {
    checkKey(request.key);
    return this.run('putLegalHold', request);
  }

  async getObjectTags(request: Port.ObjectRef): Promise<Tags.ObjectTags> {
    return readObjectTags(this.parts.reader, this.caller, request);
  }

  async putObjectTags(request: Tags.PutObjectTagsRequest): Promise<TaggedVersion> {
    checkKey(request.key);
    checkObjectTags(request.tags, this.parts.quotas.defaults.tagsPerObject);
    return this.run('putObjectTags', request);
  }

  async deleteObjectTags({ bucket, key, versionId }: Port.ObjectRef): Promise<TaggedVersion> {
    checkKey(key);
    return this.run('putObjectTags', defined({ bucket, key, versionId }));
  }

  async getBucketTags({ bucket }: { readonly bucket: string }): Promise<readonly Tags.Tag[]> {
    return readBucketTags(this.parts.reader, this.bucket(bucket, 'GetBucketTagging'));
  }

  async putBucketTags({
    bucket,
    tags,
  }: {
    readonly bucket: string;
    readonly tags: readonly Tags.Tag[];
  }): Promise<void> {
    checkBucketTags(tags);
    // As one may send them, and as they are removed: a set of none.
    const document = tags.length === 0 ? undefined : tags;
    return this.configure(bucket, { action: 'PutBucketTagging', kind: 'tagging', document });
  }

  async deleteBucketTags({ bucket }: { readonly bucket: string }): Promise<void> {
    const [action, document] = ['PutBucketTagging', undefined] as const;
    return this.configure(bucket, { action, kind: 'tagging', document });
  }
}
