/**
 * Defines the operations on tags of objects and buckets, and the header that sets the tags of a new version
 * (specification, "Tagging"; semantics B.16).
 */

import type { ObjectRef } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { ObjectTags, PutObjectTagsRequest, Tag } from '../../object-store/tags.ts';
import { headerText, text, type Codec } from '../codecs.ts';
import { query, vendor } from '../message.ts';
import { percentDecode, percentEncode } from '../percent.ts';
import { document } from '../xml/document.ts';
import { leaf, many, record, required } from '../xml/schema.ts';
import { constant } from './attributes.ts';
import type { BucketInput, Nothing } from './buckets.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

export interface TagSet {
  readonly tags: readonly Tag[];
}

export interface PutBucketTagsInput extends BucketInput, TagSet {}

export const tagElement = record<Tag>({
  key: required('Key', leaf(text)),
  value: required('Value', leaf(text)),
});

interface TaggingElement {
  readonly set: TagSet;
}

/**
 * The `Tagging` document. `TagSet` is required. If a missing `TagSet` were treated as empty, the request would remove
 * all tags.
 */
const tagging = document<TaggingElement>(
  'Tagging',
  record<TaggingElement>({
    set: required('TagSet', record<TagSet>({ tags: many('Tag', tagElement) })),
  }),
);

const toElement = ({ tags }: TagSet): TaggingElement => ({ set: { tags } });
const fromElement = ({ set }: TaggingElement): TagSet => set;

/** Tags in HTML form encoding, such as `color=light+blue&year=2026`. */
const formTags: Codec<readonly Tag[]> = {
  encode: (tags) =>
    tags.map(({ key, value }) => `${percentEncode(key)}=${percentEncode(value)}`).join('&'),
  decode: (form) => {
    try {
      return form.split('&').map((pair) => {
        const [, key = '', value = ''] =
          /^([^=]*)=?(.*)$/s.exec(headerText.decode(pair) ?? '') ?? [];
        return { key: formDecode(key), value: formDecode(value) };
      });
    } catch (error) {
      if (isStorageError(error, 'InvalidURI')) return undefined;
      throw error;
    }
  },
};

function formDecode(text: string): string {
  return percentDecode(text.replaceAll('+', ' '));
}

/** Converts the tag document of a POST form to the value of the tagging header. Throws MalformedXML. */
export function tagsHeaderOf(text: string): string {
  return formTags.encode(fromElement(tagging.read(text)).tags);
}

/** The header that sets the tags of a new version. */
export const tagsHeader = vendor('tags', 'tagging', formTags);

const versionId = query('versionId', 'versionId', text, { nonEmpty: true });
const versionIdHeader = vendor('versionId', 'version-id', headerText);

const tagsDocument = responseDocument<ObjectRef, ObjectTags, TaggingElement>(
  tagging,
  toElement,
  fromElement,
);

/** The version whose tags were read or changed. */
export type TaggedVersion = Omit<ObjectTags, 'tags'>;

export const getObjectTagging: Operation<ObjectRef, ObjectTags> = {
  method: 'GET',
  target: 'object',
  subresource: 'tagging',
  request: { parts: [versionId] },
  response: {
    status: 200,
    parts: [versionIdHeader],
    body: {
      ...tagsDocument,
      // Ceph RGW 16 returns an empty body for a multipart object without tags.
      decode: (body) => (body === '' ? { tags: [] } : tagsDocument.decode(body)),
    },
  },
};

export const putObjectTagging: Operation<PutObjectTagsRequest, TaggedVersion> = {
  method: 'PUT',
  target: 'object',
  subresource: 'tagging',
  request: { parts: [versionId], body: requestDocument(tagging, toElement, fromElement) },
  response: {
    status: 200,
    // The specification defines this header even though the body is empty.
    parts: [versionIdHeader, constant('content-type', 'application/xml')],
  },
};

export const deleteObjectTagging: Operation<ObjectRef, TaggedVersion> = {
  method: 'DELETE',
  target: 'object',
  subresource: 'tagging',
  request: { parts: [versionId] },
  response: { status: 204, parts: [versionIdHeader] },
};

export const getBucketTagging: Operation<BucketInput, TagSet> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'tagging',
  request: { parts: [] },
  response: { status: 200, parts: [], body: responseDocument(tagging, toElement, fromElement) },
};

export const putBucketTagging: Operation<PutBucketTagsInput, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'tagging',
  request: { parts: [], body: requestDocument(tagging, toElement, fromElement) },
  response: { status: 200, parts: [] },
};

export const deleteBucketTagging: Operation<BucketInput, Nothing> = {
  method: 'DELETE',
  target: 'bucket',
  subresource: 'tagging',
  request: { parts: [] },
  response: { status: 204, parts: [] },
};
