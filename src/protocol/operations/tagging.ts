/**
 * GetObjectTagging. Nothing here gives an object tags yet, so each answers an empty set: tools ask for it before
 * they copy a large object in parts.
 */

import type { ObjectRef } from '../../object-store/object-store.ts';
import { headerText, text } from '../codecs.ts';
import { query, vendor } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, many, record, required, wrapped } from '../xml/schema.ts';
import { responseDocument, type Operation } from './operation.ts';

interface Tag {
  readonly key: string;
  readonly value: string;
}

interface TagSet {
  readonly tags: readonly Tag[];
}

export interface ObjectTags extends TagSet {
  readonly versionId?: string;
}

const tag = record<Tag>({
  key: required('Key', leaf(text)),
  value: required('Value', leaf(text)),
});

const tagging = document<TagSet>(
  'Tagging',
  record<TagSet>({ tags: wrapped('TagSet', many('Tag', tag)) }),
);

export const getObjectTagging: Operation<ObjectRef, ObjectTags> = {
  method: 'GET',
  target: 'object',
  subresource: 'tagging',
  request: { parts: [query('versionId', 'versionId', text, { nonEmpty: true })] },
  response: {
    status: 200,
    parts: [vendor('versionId', 'version-id', headerText)],
    body: responseDocument(
      tagging,
      ({ tags }) => ({ tags }),
      ({ tags }) => ({ tags }),
    ),
  },
};
