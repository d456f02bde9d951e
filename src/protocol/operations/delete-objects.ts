/** Many deletions in one request: DeleteObjects (specification, "Object operations"). */

import { defined } from '../../base/defined.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { etag, flag, text, trueOnly } from '../codecs.ts';
import { vendor } from '../message.ts';
import { document } from '../xml/document.ts';
import { malformedXml } from '../xml/parse.ts';
import { leaf, many, optional, record, required, type Schema } from '../xml/schema.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

export interface DeleteObjectsInput {
  readonly bucket: string;
  readonly objects: readonly ObjectToDelete[];
  /** Only failures are answered. */
  readonly quiet?: boolean;
  readonly bypassGovernance?: boolean;
}

export interface ObjectToDelete {
  readonly key: string;
  readonly versionId?: string;
  readonly ifMatch?: string;
}

export interface DeleteObjectsOutput {
  readonly deleted: readonly DeletedObject[];
  readonly failed: readonly FailedDeletion[];
}

export interface DeletedObject {
  readonly key: string;
  /** As it was asked for. */
  readonly versionId?: string;
  /** Whether a delete marker was made or removed, and which. */
  readonly deleteMarker?: boolean;
  readonly deleteMarkerVersionId?: string;
}

export interface FailedDeletion {
  readonly key: string;
  readonly versionId?: string;
  readonly code: string;
  readonly message: string;
}

/** Objects and versions of one request (specification, "Limits"). */
const MAX_OBJECTS = 1000;
/** As many keys of 1,024 bytes, with their elements around them (security E.2). */
const MAX_DELETE_XML_BYTES = 2 * 1024 * 1024;

interface DeleteElement {
  readonly objects: readonly ObjectToDelete[];
  readonly quiet?: boolean;
}

const objectFields = record<ObjectToDelete>({
  key: required('Key', leaf(text)),
  versionId: optional('VersionId', leaf(text)),
  ifMatch: optional('ETag', leaf(etag)),
});
const KNOWN = new Set(['Key', 'VersionId', 'ETag']);
/** Conditions that are not supported. */
const NOT_SUPPORTED = new Set(['LastModifiedTime', 'Size']);

/** Elsewhere unknown elements are passed over; here one could be a condition, or a version's misspelt id. */
const objectToDelete: Schema<ObjectToDelete> = {
  build: objectFields.build,
  parse: (content) => {
    const unknown =
      typeof content === 'string' ? undefined : content.find(({ name }) => !KNOWN.has(name));
    if (unknown === undefined) return objectFields.parse(content);
    if (!NOT_SUPPORTED.has(unknown.name)) throw malformedXml(`${unknown.name} is not known here`);
    throw new StorageError('NotImplemented', `delete objects: ${unknown.name} is not implemented`);
  },
};

const deleteDocument = document<DeleteElement>(
  'Delete',
  record<DeleteElement>({
    quiet: optional('Quiet', leaf(flag)),
    objects: many('Object', objectToDelete),
  }),
);

const deleteResult = document<DeleteObjectsOutput>(
  'DeleteResult',
  record<DeleteObjectsOutput>({
    deleted: many(
      'Deleted',
      record<DeletedObject>({
        key: required('Key', leaf(text)),
        versionId: optional('VersionId', leaf(text)),
        deleteMarker: optional('DeleteMarker', leaf(flag)),
        deleteMarkerVersionId: optional('DeleteMarkerVersionId', leaf(text)),
      }),
    ),
    failed: many(
      'Error',
      record<FailedDeletion>({
        key: required('Key', leaf(text)),
        versionId: optional('VersionId', leaf(text)),
        code: required('Code', leaf(text)),
        message: required('Message', leaf(text)),
      }),
    ),
  }),
);

export const deleteObjects: Operation<DeleteObjectsInput, DeleteObjectsOutput> = {
  method: 'POST',
  target: 'bucket',
  subresource: 'delete',
  request: {
    parts: [vendor('bypassGovernance', 'bypass-governance-retention', trueOnly)],
    body: requestDocument(
      deleteDocument,
      ({ objects, quiet }): DeleteElement => defined({ objects, quiet }),
      ({ objects, quiet }) => {
        if (objects.length === 0 || objects.length > MAX_OBJECTS) {
          throw new StorageError(
            'MalformedXML',
            `delete objects: name 1 to ${MAX_OBJECTS} objects`,
          );
        }
        return defined({ objects, quiet });
      },
      { maxBytes: MAX_DELETE_XML_BYTES, needsDigest: true },
    ),
  },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      deleteResult,
      (output) => output,
      (output) => output,
    ),
  },
};
