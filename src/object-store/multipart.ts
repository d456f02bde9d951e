/** Defines the operations on multipart uploads, with their requests and results (semantics B.13). */

import type { AclRequest } from './access.ts';
import type { Body } from './body.ts';
import type { Checksum, ChecksumAlgorithm, ChecksumType } from './checksum.ts';
import type { CustomerEncryption, CustomerKey } from './customer-key.ts';
import type {
  CallOptions,
  LockRequest,
  ObjectAttributes,
  PutObjectResult,
  WriteConditions,
} from './object-store.ts';
import type { Tag } from './tags.ts';

/** The checksum of the completed object. If the type is absent, the algorithm's default type applies. */
export interface UploadChecksum {
  readonly checksumAlgorithm?: ChecksumAlgorithm;
  readonly checksumType?: ChecksumType;
}

export interface CreateUploadRequest extends UploadChecksum {
  readonly bucket: string;
  readonly key: string;
  readonly attributes?: ObjectAttributes;
  readonly tags?: readonly Tag[];
  readonly acl?: AclRequest;
  /** The locks of the version that is created when the upload is completed. */
  readonly lock?: LockRequest;
  /** The key that encrypts the object. Every part must be uploaded with this key. */
  readonly customerKey?: CustomerKey;
}

export interface CreateUploadResult extends UploadChecksum {
  readonly uploadId: string;
  readonly encryption?: CustomerEncryption;
}

export interface UploadRef {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
}

export interface UploadPartRequest extends UploadRef {
  /** The part number, 1 to 10,000. */
  readonly partNumber: number;
  readonly body: Body;
  /** The customer key with which the upload was created. */
  readonly customerKey?: CustomerKey;
}

export interface UploadPartResult {
  readonly etag: string;
  readonly checksum?: Checksum;
  readonly encryption?: CustomerEncryption;
}

export interface CompletedPart extends Omit<UploadPartResult, 'encryption'> {
  readonly partNumber: number;
}

export interface CompleteUploadRequest extends UploadRef {
  readonly parts: readonly CompletedPart[];
  readonly conditions?: WriteConditions;
  /**
   * The expected checksum of the completed object. If the checksum differs, the call rejects with `BadDigest`. A
   * composite checksum can omit its suffix `-N`.
   */
  readonly checksum?: Checksum;
  /** The type of the expected checksum. Must be the checksum type with which the upload was created, if any. */
  readonly checksumType?: ChecksumType;
  /** The expected size of the completed object. If the size differs, the call rejects with `InvalidRequest`. */
  readonly sizeBytes?: number;
  /** The customer key with which the upload was created. Can be omitted. */
  readonly customerKey?: CustomerKey;
}

export interface ListPartsRequest extends UploadRef {
  readonly partNumberMarker?: number;
  readonly maxParts?: number;
  /** The customer key with which the upload was created. Can be omitted. */
  readonly customerKey?: CustomerKey;
}

export interface ListedPart extends CompletedPart {
  readonly sizeBytes: number;
  readonly lastModifiedAt: number;
}

export interface PartPage extends UploadChecksum {
  /** The storage user ID of the user that created the upload, if the service returns it. */
  readonly owner?: string;
  readonly parts: readonly ListedPart[];
  readonly nextPartNumberMarker?: number;
}

export interface ListUploadsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  /** The listing continues after this key or, with `uploadIdMarker`, after that upload of the key. */
  readonly keyMarker?: string;
  readonly uploadIdMarker?: string;
  readonly maxUploads?: number;
}

export interface ListedUpload extends UploadChecksum {
  readonly key: string;
  readonly uploadId: string;
  readonly initiatedAt: number;
  readonly owner?: string;
}

export interface UploadPage {
  readonly uploads: readonly ListedUpload[];
  readonly commonPrefixes: readonly string[];
  /** The markers for the next page. Present if and only if there are more entries. */
  readonly next?: { readonly keyMarker: string; readonly uploadIdMarker?: string };
}

export interface MultipartWriter {
  createUpload(request: CreateUploadRequest, options?: CallOptions): Promise<CreateUploadResult>;
  uploadPart(request: UploadPartRequest, options?: CallOptions): Promise<UploadPartResult>;
  completeUpload(request: CompleteUploadRequest, options?: CallOptions): Promise<PutObjectResult>;
  abortUpload(request: UploadRef, options?: CallOptions): Promise<void>;
  listParts(request: ListPartsRequest, options?: CallOptions): Promise<PartPage>;
  listUploads(request: ListUploadsRequest, options?: CallOptions): Promise<UploadPage>;
}
