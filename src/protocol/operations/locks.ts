/**
 * Defines the Object Lock operations: the default retention of a bucket, and the retention and legal hold of a version
 * (specification, "Object lock").
 */

import type {
  DefaultRetention,
  ObjectLockConfiguration,
  PutLegalHoldRequest,
  PutLockConfigurationRequest,
  PutRetentionRequest,
} from '../../object-store/locks.ts';
import type { ObjectRef, Retention } from '../../object-store/object-store.ts';
import { isoDate, text, trueOnly, words, type Codec } from '../codecs.ts';
import { query, vendor } from '../message.ts';
import { document } from '../xml/document.ts';
import { leaf, optional, record, required, type Schema } from '../xml/schema.ts';
import { legalHoldStatus, retentionMode } from './attributes.ts';
import type { BucketInput, Nothing } from './buckets.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

export interface LegalHoldOutput {
  readonly legalHold: boolean;
}

/**
 * A number of days, years or versions. The codec accepts a minus sign, so that the error for a number below 1 differs
 * from the error for text that is not a number.
 */
export const period: Codec<number> = {
  encode: String,
  decode: (digits) => (/^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : undefined),
};

interface RuleElement {
  readonly defaultRetention: DefaultRetention;
}

const filledRule = record<RuleElement>({
  defaultRetention: required(
    'DefaultRetention',
    record<DefaultRetention>({
      mode: required('Mode', leaf(retentionMode)),
      days: optional('Days', leaf(period)),
      years: optional('Years', leaf(period)),
    }),
  ),
});

/**
 * The content of the `Rule` element. An empty rule removes the default retention. Any other rule must contain a valid
 * default retention.
 */
const rule: Schema<ObjectLockConfiguration> = {
  write: ({ defaultRetention }) =>
    defaultRetention === undefined ? '' : filledRule.write({ defaultRetention }),
  parse: (content) => {
    const inside = typeof content === 'string' ? content.trim() : content;
    return inside.length === 0 ? {} : filledRule.parse(content);
  },
};

interface ConfigurationElement {
  readonly objectLockEnabled: 'Enabled';
  readonly rule?: ObjectLockConfiguration;
}

const lockConfiguration = document<ConfigurationElement>(
  'ObjectLockConfiguration',
  record<ConfigurationElement>({
    objectLockEnabled: required('ObjectLockEnabled', leaf(words('Enabled'))),
    rule: optional('Rule', rule),
  }),
);

const toElement = ({ defaultRetention }: ObjectLockConfiguration): ConfigurationElement =>
  defaultRetention === undefined
    ? { objectLockEnabled: 'Enabled' }
    : { objectLockEnabled: 'Enabled', rule: { defaultRetention } };

const fromElement = ({ rule }: ConfigurationElement): ObjectLockConfiguration => rule ?? {};

export const getObjectLockConfiguration: Operation<BucketInput, ObjectLockConfiguration> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'object-lock',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(lockConfiguration, toElement, fromElement),
  },
};

export const putObjectLockConfiguration: Operation<PutLockConfigurationRequest, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'object-lock',
  request: {
    parts: [],
    body: requestDocument(lockConfiguration, toElement, fromElement, { needsDigest: true }),
  },
  response: { status: 200, parts: [] },
};

const versionId = query('versionId', 'versionId', text, { nonEmpty: true });

const retention = document<Retention>(
  'Retention',
  record<Retention>({
    mode: required('Mode', leaf(retentionMode)),
    retainUntil: required('RetainUntilDate', leaf(isoDate)),
  }),
);

export const getObjectRetention: Operation<ObjectRef, Retention> = {
  method: 'GET',
  target: 'object',
  subresource: 'retention',
  request: { parts: [versionId] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      retention,
      (output) => output,
      (output) => output,
    ),
  },
};

export const putObjectRetention: Operation<PutRetentionRequest, Nothing> = {
  method: 'PUT',
  target: 'object',
  subresource: 'retention',
  request: {
    parts: [versionId, vendor('bypassGovernance', 'bypass-governance-retention', trueOnly)],
    body: requestDocument(
      retention,
      (input) => input.retention,
      (read) => ({ retention: read }),
    ),
  },
  response: { status: 200, parts: [] },
};

const legalHold = document<LegalHoldOutput>(
  'LegalHold',
  record<LegalHoldOutput>({ legalHold: required('Status', leaf(legalHoldStatus)) }),
);

export const getObjectLegalHold: Operation<ObjectRef, LegalHoldOutput> = {
  method: 'GET',
  target: 'object',
  subresource: 'legal-hold',
  request: { parts: [versionId] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      legalHold,
      (output) => output,
      (output) => output,
    ),
  },
};

export const putObjectLegalHold: Operation<PutLegalHoldRequest, Nothing> = {
  method: 'PUT',
  target: 'object',
  subresource: 'legal-hold',
  request: {
    parts: [versionId],
    body: requestDocument(
      legalHold,
      (input) => ({ legalHold: input.legalHold }),
      (read) => read,
    ),
  },
  response: { status: 200, parts: [] },
};
