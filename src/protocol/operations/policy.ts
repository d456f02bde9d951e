/**
 * Defines the operations on bucket policies and on the public access block (specification, "Bucket policy (shape)";
 * semantics B.5, B.6).
 */

import { MAX_POLICY_BYTES } from '../../object-store/rules/access/parse-policy.ts';
import type { PublicAccessBlock } from '../../object-store/rules/access/public-access.ts';
import { flag } from '../codecs.ts';
import { document } from '../xml/document.ts';
import { closed, leaf, optional, record, required } from '../xml/schema.ts';
import type { BucketInput, Nothing } from './buckets.ts';
import { type Operation, requestDocument, responseDocument } from './operation.ts';

const JSON_TYPE = 'application/json';

export interface PolicyText {
  /** The bucket policy as a JSON document. */
  readonly policy: string;
}

export interface PutBucketPolicyInput extends BucketInput, PolicyText {}

export interface PolicyStatusOutput {
  readonly isPublic: boolean;
}

export interface PutPublicAccessBlockInput extends BucketInput {
  readonly block: PublicAccessBlock;
}

export const getBucketPolicy: Operation<BucketInput, PolicyText> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'policy',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: {
      contentType: JSON_TYPE,
      encode: ({ policy }) => policy,
      decode: (policy) => ({ policy }),
    },
  },
};

export const putBucketPolicy: Operation<PutBucketPolicyInput, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'policy',
  request: {
    parts: [],
    body: {
      contentType: JSON_TYPE,
      maxBytes: MAX_POLICY_BYTES,
      malformed: 'MalformedPolicy',
      encode: ({ policy }) => policy,
      decode: (policy) => ({ policy }),
    },
  },
  response: { status: 204, parts: [] },
};

export const deleteBucketPolicy: Operation<BucketInput, Nothing> = {
  method: 'DELETE',
  target: 'bucket',
  subresource: 'policy',
  request: { parts: [] },
  response: { status: 204, parts: [] },
};

export const getBucketPolicyStatus: Operation<BucketInput, PolicyStatusOutput> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'policyStatus',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      document<PolicyStatusOutput>(
        'PolicyStatus',
        record<PolicyStatusOutput>({ isPublic: required('IsPublic', leaf(flag)) }),
      ),
      (output) => output,
      (output) => output,
    ),
  },
};

/**
 * The settings of the public access block. An absent setting is off. A misspelled setting is rejected, because the
 * client intended to turn it on.
 */
const switches = closed<Partial<PublicAccessBlock>>({
  blockPublicAcls: optional('BlockPublicAcls', leaf(flag)),
  ignorePublicAcls: optional('IgnorePublicAcls', leaf(flag)),
  blockPublicPolicy: optional('BlockPublicPolicy', leaf(flag)),
  restrictPublicBuckets: optional('RestrictPublicBuckets', leaf(flag)),
});
const publicAccessBlock = document('PublicAccessBlockConfiguration', switches);
/** The public access block document in a response. Ceph RGW uses a different root element for this document. */
const accessBlockAnswer = document('PublicAccessBlockConfiguration', switches, [
  'BlockPublicAccessBlockConfiguration',
]);

const ALL_OFF: PublicAccessBlock = {
  blockPublicAcls: false,
  ignorePublicAcls: false,
  blockPublicPolicy: false,
  restrictPublicBuckets: false,
};

export const getPublicAccessBlock: Operation<BucketInput, PublicAccessBlock> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'publicAccessBlock',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      accessBlockAnswer,
      (output) => output,
      (read) => ({ ...ALL_OFF, ...read }),
    ),
  },
};

export const putPublicAccessBlock: Operation<PutPublicAccessBlockInput, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'publicAccessBlock',
  request: {
    parts: [],
    body: requestDocument(
      publicAccessBlock,
      ({ block }) => block,
      (read) => ({ block: { ...ALL_OFF, ...read } }),
    ),
  },
  response: { status: 200, parts: [] },
};

export const deletePublicAccessBlock: Operation<BucketInput, Nothing> = {
  ...deleteBucketPolicy,
  subresource: 'publicAccessBlock',
};
