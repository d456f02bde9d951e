/** Defines DeleteObjects, which deletes many objects in one request (specification, "Object operations"). */

import { defined } from '../../base/defined.ts';
import {
  type DeletedObject,
  type DeleteObjectsRequest,
  type DeleteObjectsResult,
  type FailedDeletion,
  type ObjectToDelete,
} from '../../object-store/bulk-delete.ts';
import type { DeleteConditions } from '../../object-store/object-store.ts';
import { checkBulkDelete } from '../../object-store/rules/quota.ts';
import { anyDate, expectedEtag, flag, integer, text, trueOnly } from '../codecs.ts';
import { vendor } from '../message.ts';
import { document } from '../xml/document.ts';
import { malformedXml } from '../xml/parse.ts';
import { leaf, many, optional, record, required, type Schema } from '../xml/schema.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

/**
 * The maximum size of a DeleteObjects document. It allows 1,000 keys of 1,024 bytes with their elements (security E.2).
 */
const MAX_DELETE_XML_BYTES = 2 * 1024 * 1024;
/**
 * The maximum number of tags in a DeleteObjects document. It allows 1,000 objects with six elements each and with a
 * CDATA section in each key and version ID.
 */
const MAX_DELETE_XML_TAGS = 16_000;

interface DeleteElement {
  readonly objects: readonly ObjectToDelete[];
  readonly quiet?: boolean;
}

/** An `Object` element of the document. Unlike in `ObjectToDelete`, its conditions are not nested. */
interface ObjectElement extends DeleteConditions {
  readonly key: string;
  readonly versionId?: string;
}

const objectFields = record<ObjectElement>({
  key: required('Key', leaf(text)),
  versionId: optional('VersionId', leaf(text)),
  ifMatch: optional('ETag', leaf(expectedEtag)),
  lastModifiedAt: optional('LastModifiedTime', leaf(anyDate)),
  sizeBytes: optional('Size', leaf(integer())),
});
const KNOWN = new Set(['Key', 'VersionId', 'ETag', 'LastModifiedTime', 'Size']);

/** An object to delete. An unknown element is rejected, because it may be a condition or a misspelled version ID. */
const objectToDelete: Schema<ObjectToDelete> = {
  write: ({ conditions, ...object }) => objectFields.write({ ...object, ...conditions }),
  parse: (content) => {
    const unknown =
      typeof content === 'string' ? undefined : content.find(({ name }) => !KNOWN.has(name));
    if (unknown !== undefined)
      throw malformedXml(`the element ${unknown.name} is not allowed here`);
    const { key, versionId, ...given } = objectFields.parse(content);
    const conditions = Object.keys(given).length > 0 ? given : undefined;
    return defined({ key, versionId, conditions });
  },
};

const deleteDocument = document<DeleteElement>(
  'Delete',
  record<DeleteElement>({
    quiet: optional('Quiet', leaf(flag)),
    objects: many('Object', objectToDelete),
  }),
);

const deleteResult = document<DeleteObjectsResult>(
  'DeleteResult',
  record<DeleteObjectsResult>({
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

export const deleteObjects: Operation<DeleteObjectsRequest, DeleteObjectsResult> = {
  method: 'POST',
  target: 'bucket',
  subresource: 'delete',
  request: {
    parts: [vendor('bypassGovernance', 'bypass-governance-retention', trueOnly)],
    body: requestDocument(
      deleteDocument,
      ({ objects, quiet }): DeleteElement => defined({ objects, quiet }),
      ({ objects, quiet }) => {
        checkBulkDelete(objects.length);
        return defined({ objects, quiet });
      },
      { maxBytes: MAX_DELETE_XML_BYTES, maxTags: MAX_DELETE_XML_TAGS, needsDigest: true },
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
