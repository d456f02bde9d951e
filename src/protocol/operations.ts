/**
 * Defines the operation table, which contains each operation of the protocol once. The client uses it to encode
 * requests and decode responses. The gateway uses it to decode requests and encode responses. Inputs and outputs have
 * the same fields as the requests and results of `ObjectStore`, but do not contain the bytes of objects.
 */

import type { CopyPartRequest, CopyPartResult } from '../object-store/copy-part.ts';
import type { DeleteObjectsRequest, DeleteObjectsResult } from '../object-store/bulk-delete.ts';
import type { AccessControlList } from '../object-store/access.ts';
import type { PublicAccessBlock } from '../object-store/rules/access/public-access.ts';
import type {
  GetObjectAttributesRequest,
  ObjectDescription,
} from '../object-store/object-attributes.ts';
import type { CorsConfiguration, PutCorsRequest } from '../object-store/cors.ts';
import type {
  ObjectLockConfiguration,
  PutLegalHoldRequest,
  PutLockConfigurationRequest,
  PutRetentionRequest,
} from '../object-store/locks.ts';
import type {
  CompleteUploadRequest,
  CreateUploadRequest,
  CreateUploadResult,
  ListPartsRequest,
  PartPage,
  UploadPage,
  UploadPartResult,
  UploadRef,
} from '../object-store/multipart.ts';
import type { ObjectPage, VersionPage } from '../object-store/listing.ts';
import type {
  CopyObjectRequest,
  CopyObjectResult,
  DeleteObjectRequest,
  DeleteObjectResult,
  ObjectHead,
  ObjectRef,
  PutObjectResult,
  Retention,
} from '../object-store/object-store.ts';
import type { PutWebsiteRequest, WebsiteConfiguration } from '../object-store/website.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import type { ObjectTags, PutObjectTagsRequest } from '../object-store/tags.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { Dialect } from './dialect.ts';
import { decodeParts, encodeParts, MessageReader, MessageWriter } from './message.ts';
import * as acls from './operations/acl.ts';
import * as buckets from './operations/buckets.ts';
import * as copies from './operations/copy.ts';
import * as cors from './operations/cors.ts';
import * as descriptions from './operations/describe-object.ts';
import * as deletions from './operations/delete-objects.ts';
import * as objectLists from './operations/list-objects.ts';
import * as versionLists from './operations/list-versions.ts';
import * as uploadLists from './operations/list-uploads.ts';
import * as lifecycle from './operations/lifecycle.ts';
import * as locks from './operations/locks.ts';
import * as multipart from './operations/multipart.ts';
import * as objects from './operations/objects.ts';
import * as tagging from './operations/tagging.ts';
import * as websites from './operations/website.ts';
import * as policies from './operations/policy.ts';
import * as unset from './operations/unset.ts';
import type { Operation } from './operations/operation.ts';
import { formatPath, type Target } from './paths.ts';
import { refuseUnread } from './unread-headers.ts';
import { Headers } from './headers.ts';
import type { WireQuery, WireRequest, WireResponse } from './wire.ts';

interface Types<I, O> {
  readonly input: I;
  readonly output: O;
}

/** The input and output types of each operation. */
interface Operations {
  ListBuckets: Types<buckets.ListBucketsInput, buckets.ListBucketsOutput>;
  CreateBucket: Types<buckets.CreateBucketInput, buckets.CreateBucketOutput>;
  HeadBucket: Types<buckets.BucketInput, buckets.HeadBucketOutput>;
  DeleteBucket: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketLocation: Types<buckets.BucketInput, buckets.LocationOutput>;
  GetBucketVersioning: Types<buckets.BucketInput, buckets.VersioningOutput>;
  PutBucketVersioning: Types<buckets.PutVersioningInput, buckets.Nothing>;
  GetBucketAcl: Types<buckets.BucketInput, AccessControlList>;
  PutBucketAcl: Types<acls.PutBucketAclInput, buckets.Nothing>;
  GetObjectAcl: Types<ObjectRef, AccessControlList>;
  PutObjectAcl: Types<acls.PutObjectAclInput, buckets.Nothing>;
  GetBucketPolicy: Types<buckets.BucketInput, policies.PolicyText>;
  PutBucketPolicy: Types<policies.PutBucketPolicyInput, buckets.Nothing>;
  DeleteBucketPolicy: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketPolicyStatus: Types<buckets.BucketInput, policies.PolicyStatusOutput>;
  GetPublicAccessBlock: Types<buckets.BucketInput, PublicAccessBlock>;
  PutPublicAccessBlock: Types<policies.PutPublicAccessBlockInput, buckets.Nothing>;
  DeletePublicAccessBlock: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketEncryption: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketOwnershipControls: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketReplication: Types<buckets.BucketInput, buckets.Nothing>;
  DeleteBucketEncryption: Types<buckets.BucketInput, buckets.Nothing>;
  DeleteBucketOwnershipControls: Types<buckets.BucketInput, buckets.Nothing>;
  DeleteBucketReplication: Types<buckets.BucketInput, buckets.Nothing>;
  GetObjectLockConfiguration: Types<buckets.BucketInput, ObjectLockConfiguration>;
  PutObjectLockConfiguration: Types<PutLockConfigurationRequest, buckets.Nothing>;
  GetBucketLifecycleConfiguration: Types<buckets.BucketInput, lifecycle.LifecycleOutput>;
  PutBucketLifecycleConfiguration: Types<lifecycle.PutLifecycleInput, buckets.Nothing>;
  DeleteBucketLifecycle: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketCors: Types<buckets.BucketInput, CorsConfiguration>;
  PutBucketCors: Types<PutCorsRequest, buckets.Nothing>;
  DeleteBucketCors: Types<buckets.BucketInput, buckets.Nothing>;
  GetBucketWebsite: Types<buckets.BucketInput, WebsiteConfiguration>;
  PutBucketWebsite: Types<PutWebsiteRequest, buckets.Nothing>;
  DeleteBucketWebsite: Types<buckets.BucketInput, buckets.Nothing>;
  ListObjectsV2: Types<objectLists.ListObjectsV2Input, ObjectPage>;
  ListObjects: Types<objectLists.ListObjectsInput, objectLists.ListObjectsOutput>;
  ListObjectVersions: Types<versionLists.ListObjectVersionsInput, VersionPage>;
  ListMultipartUploads: Types<uploadLists.ListMultipartUploadsInput, UploadPage>;
  PutObject: Types<objects.PutObjectInput, PutObjectResult>;
  GetObject: Types<objects.ReadObjectInput, ObjectHead>;
  GetObjectAttributes: Types<GetObjectAttributesRequest, ObjectDescription>;
  GetObjectTagging: Types<ObjectRef, ObjectTags>;
  PutObjectTagging: Types<PutObjectTagsRequest, tagging.TaggedVersion>;
  DeleteObjectTagging: Types<ObjectRef, tagging.TaggedVersion>;
  GetBucketTagging: Types<buckets.BucketInput, tagging.TagSet>;
  PutBucketTagging: Types<tagging.PutBucketTagsInput, buckets.Nothing>;
  DeleteBucketTagging: Types<buckets.BucketInput, buckets.Nothing>;
  GetObjectRetention: Types<ObjectRef, Retention>;
  PutObjectRetention: Types<PutRetentionRequest, buckets.Nothing>;
  GetObjectLegalHold: Types<ObjectRef, locks.LegalHoldOutput>;
  PutObjectLegalHold: Types<PutLegalHoldRequest, buckets.Nothing>;
  HeadObject: Types<objects.ReadObjectInput, ObjectHead>;
  CopyObject: Types<CopyObjectRequest, CopyObjectResult>;
  DeleteObject: Types<DeleteObjectRequest, DeleteObjectResult>;
  DeleteObjects: Types<DeleteObjectsRequest, DeleteObjectsResult>;
  CreateMultipartUpload: Types<CreateUploadRequest, CreateUploadResult>;
  UploadPartCopy: Types<CopyPartRequest, CopyPartResult>;
  UploadPart: Types<multipart.UploadPartInput, UploadPartResult>;
  CompleteMultipartUpload: Types<CompleteUploadRequest, multipart.CompleteUploadOutput>;
  AbortMultipartUpload: Types<UploadRef, buckets.Nothing>;
  ListParts: Types<ListPartsRequest, PartPage>;
}

export type OperationName = keyof Operations;
export type Input<N extends OperationName> = Operations[N]['input'];
export type Output<N extends OperationName> = Operations[N]['output'];

export const OPERATIONS: { readonly [N in OperationName]: Operation<Input<N>, Output<N>> } = {
  ListBuckets: buckets.listBuckets,
  CreateBucket: buckets.createBucket,
  HeadBucket: buckets.headBucket,
  DeleteBucket: buckets.deleteBucket,
  GetBucketLocation: buckets.getBucketLocation,
  GetBucketVersioning: buckets.getBucketVersioning,
  PutBucketVersioning: buckets.putBucketVersioning,
  GetBucketAcl: acls.getBucketAcl,
  PutBucketAcl: acls.putBucketAcl,
  GetObjectAcl: acls.getObjectAcl,
  PutObjectAcl: acls.putObjectAcl,
  GetBucketPolicy: policies.getBucketPolicy,
  PutBucketPolicy: policies.putBucketPolicy,
  DeleteBucketPolicy: policies.deleteBucketPolicy,
  GetBucketPolicyStatus: policies.getBucketPolicyStatus,
  GetPublicAccessBlock: policies.getPublicAccessBlock,
  PutPublicAccessBlock: policies.putPublicAccessBlock,
  DeletePublicAccessBlock: policies.deletePublicAccessBlock,
  GetBucketEncryption: unset.getBucketEncryption,
  GetBucketOwnershipControls: unset.getBucketOwnershipControls,
  GetBucketReplication: unset.getBucketReplication,
  DeleteBucketEncryption: unset.deleteBucketEncryption,
  DeleteBucketOwnershipControls: unset.deleteBucketOwnershipControls,
  DeleteBucketReplication: unset.deleteBucketReplication,
  GetObjectLockConfiguration: locks.getObjectLockConfiguration,
  PutObjectLockConfiguration: locks.putObjectLockConfiguration,
  GetBucketLifecycleConfiguration: lifecycle.getBucketLifecycle,
  PutBucketLifecycleConfiguration: lifecycle.putBucketLifecycle,
  DeleteBucketLifecycle: lifecycle.deleteBucketLifecycle,
  GetBucketCors: cors.getBucketCors,
  PutBucketCors: cors.putBucketCors,
  DeleteBucketCors: cors.deleteBucketCors,
  GetBucketWebsite: websites.getBucketWebsite,
  PutBucketWebsite: websites.putBucketWebsite,
  DeleteBucketWebsite: websites.deleteBucketWebsite,
  ListObjectsV2: objectLists.listObjectsV2,
  ListObjects: objectLists.listObjects,
  ListObjectVersions: versionLists.listObjectVersions,
  ListMultipartUploads: uploadLists.listMultipartUploads,
  PutObject: objects.putObject,
  GetObject: objects.getObject,
  GetObjectAttributes: descriptions.getObjectAttributes,
  GetObjectTagging: tagging.getObjectTagging,
  PutObjectTagging: tagging.putObjectTagging,
  DeleteObjectTagging: tagging.deleteObjectTagging,
  GetBucketTagging: tagging.getBucketTagging,
  PutBucketTagging: tagging.putBucketTagging,
  DeleteBucketTagging: tagging.deleteBucketTagging,
  GetObjectRetention: locks.getObjectRetention,
  PutObjectRetention: locks.putObjectRetention,
  GetObjectLegalHold: locks.getObjectLegalHold,
  PutObjectLegalHold: locks.putObjectLegalHold,
  HeadObject: objects.headObject,
  CopyObject: copies.copyObject,
  DeleteObject: objects.deleteObject,
  DeleteObjects: deletions.deleteObjects,
  CreateMultipartUpload: multipart.createMultipartUpload,
  UploadPartCopy: copies.uploadPartCopy,
  UploadPart: multipart.uploadPart,
  CompleteMultipartUpload: multipart.completeMultipartUpload,
  AbortMultipartUpload: multipart.abortMultipartUpload,
  ListParts: uploadLists.listParts,
};

/** An encoded request before it is signed. `body` is the XML or JSON document, if any. */
export interface EncodedRequest extends WireRequest {
  readonly body?: string;
}

/** An encoded response without the common headers. `body` is the XML or JSON document, if any. */
export interface EncodedResponse extends WireResponse {
  readonly body?: string;
}

export function encodeRequest<N extends OperationName>(
  name: N,
  input: Input<N>,
  dialect: Dialect,
): EncodedRequest {
  const { method, target, request, subresource }: Operation<Input<N>, Output<N>> = OPERATIONS[name];
  const writer = new MessageWriter(dialect);
  encodeParts(request.parts, input, writer);
  if (subresource !== undefined && !writer.query.some(([each]) => each === subresource)) {
    writer.query.unshift([subresource, '']);
  }
  const body = typeof request.body === 'object' ? request.body.encode(input, dialect) : undefined;
  if (body !== undefined) writer.headers.push(['content-type', typeOf(request.body)]);
  const { query, headers } = writer;
  const path = formatPath(targetOf(input, target));
  return body === undefined
    ? { method, path, query, headers }
    : { method, path, query, headers, body };
}

/** Returns the content type of an XML or JSON document. */
function typeOf(body: unknown): string {
  const { contentType = 'application/xml' } = body as { readonly contentType?: string };
  return contentType;
}

/**
 * Returns only the fields that this kind of target has. An input may have more fields. For example, it may have an
 * object key although the target is the bucket.
 */
function targetOf({ bucket, key }: Target, kind: 'bucket' | 'object' | 'service'): Target {
  if (kind === 'service' || bucket === undefined) return {};
  return kind === 'bucket' || key === undefined ? { bucket } : { bucket, key };
}

/**
 * A received request whose operation is known. `body` is the request document. `body` is absent or '' if the request
 * has no document.
 */
export interface RoutedRequest {
  readonly target: Target;
  readonly query: WireQuery;
  readonly headers: Headers;
  readonly body?: string;
}

/**
 * Decodes the input of the operation from a request. If the request is invalid, throws the StorageError for the
 * response.
 */
export function decodeRequest<N extends OperationName>(
  name: N,
  request: RoutedRequest,
  dialect: Dialect,
): Input<N> {
  const operation: Operation<Input<N>, Output<N>> = OPERATIONS[name];
  const reader = new MessageReader(request, dialect);
  const members = decodeParts(operation.request.parts, reader);
  refuseUnread(reader.unread(), dialect.headerPrefix);
  const { body } = operation.request;
  const inside =
    typeof body === 'object' ? body.decode(request.body ?? '', members, dialect) : undefined;
  return Object.assign(members, request.target, inside) as Input<N>;
}

/**
 * Encodes the output of an operation as a response. The input is required because some responses repeat parts of the
 * request.
 */
export function encodeResponse<N extends OperationName>(
  name: N,
  exchange: { readonly input: Input<N>; readonly output: Output<N> },
  dialect: Dialect,
): EncodedResponse {
  const { response }: Operation<Input<N>, Output<N>> = OPERATIONS[name];
  const writer = new MessageWriter(dialect);
  encodeParts(response.parts, exchange.output, writer);
  const { headers } = writer;
  const status = headers.some(([each]) => each === 'content-range') ? 206 : response.status;
  if (typeof response.body !== 'object') return { status, headers };
  headers.push(['content-type', typeOf(response.body)]);
  return { status, headers, body: response.body.encode(exchange.output, exchange.input, dialect) };
}

/**
 * Decodes the output of the operation from a successful response. `body` is the response document, and is absent or ''
 * if there is none. Throws TransportError `BadResponse` if the response is invalid for the operation.
 */
export function decodeResponse<N extends OperationName>(
  name: N,
  response: WireResponse & { readonly body?: string },
  dialect: Dialect,
): Output<N> {
  const operation: Operation<Input<N>, Output<N>> = OPERATIONS[name];
  try {
    const reader = new MessageReader(
      { query: [], headers: new Headers(response.headers) },
      dialect,
    );
    const members = decodeParts(operation.response.parts, reader);
    const { body } = operation.response;
    const inside = typeof body === 'object' ? body.decode(response.body ?? '') : undefined;
    return Object.assign(members, inside);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw new TransportError(
      'BadResponse',
      `the service did not return a valid S3 response; check that the endpoint and its port are those of an S3 service (${name}: ${error.message})`,
      {
        sent: true,
        cause: error,
      },
    );
  }
}
