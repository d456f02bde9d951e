/** Implements the reading roles for one caller: objects, their attributes, and listings of objects and versions. */

import type * as Listing from '../../object-store/listing.ts';
import type {
  GetObjectAttributesRequest,
  ObjectAttributeReader,
  ObjectDescription,
} from '../../object-store/object-attributes.ts';
import type * as Port from '../../object-store/object-store.ts';
import { askedOfList } from '../access/condition-values.ts';
import { reading } from '../disk/metadata-damage.ts';
import { describeObject } from '../reads/describe-object.ts';
import { nameOf, openObject, selectObject } from '../reads/read-object.ts';
import type { CallerContext } from './caller-context.ts';

export class EngineReader implements Port.ObjectReader, ObjectAttributeReader, Port.VersionReader {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async headObject(request: Port.HeadObjectRequest): Promise<Port.ObjectHead> {
    const { reader } = this.#context.parts;
    const select = () => selectObject(reader, this.#context.caller, request).head;
    return reading(`read object ${nameOf(request)}`, () =>
      request.partNumber === undefined ? select() : reader.snapshot(select),
    );
  }

  async getObjectAttributes(request: GetObjectAttributesRequest): Promise<ObjectDescription> {
    return reading(`read object ${nameOf(request)}`, () =>
      describeObject(this.#context.parts.reader, this.#context.caller, request),
    );
  }

  async getObject(
    request: Port.HeadObjectRequest,
    options: Port.ReadOptions = {},
  ): Promise<Port.ObjectContent> {
    return reading(`read object ${nameOf(request)}`, () =>
      openObject(this.#context.parts, this.#context.caller, request, options),
    );
  }

  async listObjects(request: Listing.ListObjectsRequest): Promise<Listing.ObjectPage> {
    const { bucketId } = this.#context.bucket(request.bucket, 'ListBucket', {
      asked: askedOfList(request),
    });
    return reading(`list bucket ${request.bucket}`, () =>
      this.#context.parts.objects.page(bucketId, request),
    );
  }

  async listVersions(request: Listing.ListVersionsRequest): Promise<Listing.VersionPage> {
    const asked = askedOfList(request);
    const { bucketId } = this.#context.bucket(request.bucket, 'ListBucketVersions', { asked });
    return reading(`list versions of bucket ${request.bucket}`, () =>
      this.#context.parts.versions.page(bucketId, request),
    );
  }
}
