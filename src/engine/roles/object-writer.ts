/** Implements the roles that put, copy and delete objects for one caller. The writer thread runs the commands. */

import { defined } from '../../base/defined.ts';
import type {
  BulkDeleter,
  DeleteObjectsRequest,
  DeleteObjectsResult,
} from '../../object-store/bulk-delete.ts';
import type * as Port from '../../object-store/object-store.ts';
import { checkRedirect } from '../../object-store/rules/metadata.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import { checkNewObject } from '../../object-store/rules/new-object.ts';
import { checkBulkDelete } from '../../object-store/rules/quota.ts';
import { withEncryption } from '../encryption/sealing.ts';
import { withExpiration } from '../reads/read-lifecycle.ts';
import { existingBucket } from '../reads/read-object.ts';
import { encodeAttributes } from '../schema/object-info.ts';
import type { CallerContext } from './caller-context.ts';
import { deleteObjects } from './delete-objects.ts';
import { newObject } from './new-object.ts';
import { copyWithKeys } from './prepared-copy.ts';
import { sourceChecksum } from './source-checksum.ts';
import { storeBody } from './store-body.ts';

export class EngineWriter implements Port.ObjectWriter, BulkDeleter {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async putObject(
    request: Port.PutObjectRequest,
    options: Port.CallOptions = {},
  ): Promise<Port.PutObjectResult> {
    const { described, seal } = newObject(this.#context, request);
    const result = await storeBody(this.#context.parts, request.body, options, {
      seal,
      before: () => {
        this.#context.allowWrite(request.bucket, request);
        return undefined;
      },
      command: (content) => this.#context.run('putObject', { ...described, content }),
    });
    const { parts } = this.#context;
    return withExpiration(parts.reader, request, withEncryption(result, request.customerKey));
  }

  async copyObject(
    request: Port.CopyObjectRequest,
    options: Port.CallOptions = {},
  ): Promise<Port.CopyObjectResult> {
    checkKey(request.source.key);
    checkNewObject(request, this.#context.parts.quotas.defaults);
    checkRedirect(request.websiteRedirect);
    const attributes = encodeAttributes(request.attributes);
    const { customerKey, sourceCustomerKey, ...copy } = request;
    const { checksumAlgorithm: algorithm } = request;
    const source = defined({ ...request.source, customerKey: sourceCustomerKey });
    const isEncrypted = customerKey !== undefined || sourceCustomerKey !== undefined;
    // Check the permission before the source is read or any bytes are written.
    if (isEncrypted || algorithm !== undefined) this.#context.allowWrite(request.bucket, request);
    const calculated =
      algorithm &&
      (await sourceChecksum(
        this.#context.parts,
        this.#context.caller,
        { ...source, algorithm },
        options,
      ));
    const acl = request.acl && this.#context.resolveAcl(request.acl);
    const command = { ...copy, attributes, acl, calculated };
    if (!isEncrypted)
      return withExpiration(
        this.#context.parts.reader,
        request,
        await this.#context.run('copyObject', command),
      );
    const keyed = { request: { ...request, place: this.#context.keyPlace(request) }, options };
    const result = await copyWithKeys(
      this.#context.parts,
      this.#context.caller,
      keyed,
      (prepared) => this.#context.run('copyObject', { ...command, ...prepared }),
    );
    return withExpiration(this.#context.parts.reader, request, withEncryption(result, customerKey));
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
    return this.#context.run('deleteObject', { ...request, bypassGovernance, bulk });
  }

  async deleteObjects(request: DeleteObjectsRequest): Promise<DeleteObjectsResult> {
    existingBucket(this.#context.parts.reader, request.bucket);
    checkBulkDelete(request.objects.length, this.#context.parts.quotas.defaults.keysPerBulkDelete);
    return deleteObjects(request, (each, bulk) => this.#delete(each, bulk));
  }
}
