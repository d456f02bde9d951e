/**
 * Defines the operations on the lifecycle rules of a bucket, and the header with the expiration of an object (semantics
 * B.7). PutBucketLifecycleConfiguration parses its XML document strictly. If a misspelled condition were ignored, the
 * rule would delete more than intended.
 */

import type {
  Expiration,
  LifecycleFilter,
  LifecycleRule,
  NewLifecycleRule,
  NoncurrentExpiration,
  ObjectExpiration,
} from '../../object-store/lifecycle.ts';
import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import type { Tag } from '../../object-store/tags.ts';
import { type Codec, flag, httpDate, integer, isoDate, oneOf, text } from '../codecs.ts';
import { vendor } from '../message.ts';
import { percentDecode, percentEncode } from '../percent.ts';
import { document } from '../xml/document.ts';
import { malformedXml, MAX_XML_TAGS } from '../xml/parse.ts';
import { closed, type Field, leaf, many, optional, required, type Schema } from '../xml/schema.ts';
import type { BucketInput, Nothing } from './buckets.ts';
import { period } from './locks.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';
import { tagElement } from './tagging.ts';

export interface PutLifecycleInput extends BucketInput {
  readonly rules: readonly NewLifecycleRule[];
}

export interface LifecycleOutput {
  readonly rules: readonly LifecycleRule[];
}

/** The maximum size of a lifecycle document. It allows 1,000 rules with the longest prefix and ID. */
const MAX_LIFECYCLE_XML_BYTES = 2 * 1024 * 1024;

const bytes = leaf(integer());

interface Conditions {
  readonly prefix?: string;
  readonly tags: readonly Tag[];
  readonly sizeGreaterThan?: number;
  readonly sizeLessThan?: number;
}

/**
 * The conditions of a lifecycle filter. `Filter` contains a single condition directly, or several conditions in `And`.
 */
const conditions = {
  prefix: optional('Prefix', leaf(text)),
  tags: many('Tag', tagElement),
  sizeGreaterThan: optional('ObjectSizeGreaterThan', bytes),
  sizeLessThan: optional('ObjectSizeLessThan', bytes),
};
const allOf = closed<Conditions>(conditions);
const oneOfThem = closed<Conditions & { readonly and?: Conditions }>({
  ...conditions,
  and: optional('And', allOf),
});

/**
 * Returns the schema of a lifecycle filter. If `isStrict` is true, multiple conditions must be inside `And`, as in S3.
 * Ceph RGW returns them without `And`.
 */
const filterSchema = (isStrict: boolean): Schema<LifecycleFilter> => ({
  write: ({ tags = [], ...others }) => {
    const given = { ...others, tags };
    const isOne = tags.length + Object.keys(others).length <= 1;
    return oneOfThem.write(isOne ? given : { tags: [], and: given });
  },
  parse: (content) => {
    const { and, tags, ...others } = oneOfThem.parse(content);
    const alone = tags.length + Object.keys(others).length;
    if (isStrict && alone + (and ? 1 : 0) > 1)
      throw malformedXml('a Filter with several conditions requires And');
    const { tags: below = [], ...rest } = and ?? {};
    const all = [...tags, ...below];
    return { ...others, ...rest, ...(all.length > 0 && { tags: all }) };
  },
});

interface ExpirationElement {
  readonly date?: number;
  readonly days?: number;
  readonly expiredDeleteMarker?: boolean;
}

const expirationElement = closed<ExpirationElement>({
  date: optional('Date', leaf(isoDate)),
  days: optional('Days', leaf(period)),
  expiredDeleteMarker: optional('ExpiredObjectDeleteMarker', leaf(flag)),
});

const expiration: Schema<Expiration> = {
  write: (value) => expirationElement.write(value),
  parse: (content) => {
    const given = expirationElement.parse(content);
    const { date, days, expiredDeleteMarker } = given;
    if (Object.keys(given).length === 1) {
      if (date !== undefined) return { date };
      if (days !== undefined) return { days };
      if (expiredDeleteMarker === true) return { expiredDeleteMarker };
    }
    throw malformedXml(
      'Expiration must have exactly one of Date, Days and ExpiredObjectDeleteMarker',
    );
  },
};

const noncurrentExpiration = closed<NoncurrentExpiration>({
  days: required('NoncurrentDays', leaf(period)),
  keepNewest: optional('NewerNoncurrentVersions', leaf(period)),
});

const abortUploads = closed<{ readonly days: number }>({
  days: required('DaysAfterInitiation', leaf(period)),
});

/**
 * Returns a field that rejects storage class transitions. There is only one storage class, and ignoring a transition
 * would change the meaning of the rule.
 */
function noTransition(name: string): Field<never> {
  return {
    names: [name],
    write: () => '',
    parse: (found) => {
      if (found.length === 0) return undefined;
      throw new StorageError(
        'InvalidArgument',
        `set lifecycle: ${name} is not supported, because STANDARD is the only storage class; remove it from the rule`,
        { details: { ArgumentName: name } },
      );
    },
  };
}

interface RuleElement {
  readonly id?: string;
  readonly legacyPrefix?: string;
  readonly filter?: LifecycleFilter;
  readonly status: boolean;
  readonly expiration?: Expiration;
  readonly noncurrentExpiration?: NoncurrentExpiration;
  readonly abortUploads?: { readonly days: number };
  readonly transition?: never;
  readonly noncurrentTransition?: never;
}

const ruleElement = (isStrict: boolean) =>
  closed<RuleElement>({
    id: optional('ID', leaf(text)),
    legacyPrefix: optional('Prefix', leaf(text)),
    filter: optional('Filter', filterSchema(isStrict)),
    status: required(
      'Status',
      leaf(
        oneOf([
          [true, 'Enabled'],
          [false, 'Disabled'],
        ]),
      ),
    ),
    expiration: optional('Expiration', expiration),
    noncurrentExpiration: optional('NoncurrentVersionExpiration', noncurrentExpiration),
    abortUploads: optional('AbortIncompleteMultipartUpload', abortUploads),
    transition: noTransition('Transition'),
    noncurrentTransition: noTransition('NoncurrentVersionTransition'),
  });

function ruleSchema(isStrict: boolean): Schema<NewLifecycleRule> {
  const element = ruleElement(isStrict);
  return {
    write: ({ enabled, legacyPrefix, abortUploadsAfterDays: days, filter: given, ...others }) =>
      element.write({
        ...others,
        status: enabled,
        ...(legacyPrefix ? { legacyPrefix: given.prefix ?? '' } : { filter: given }),
        ...(days === undefined ? {} : { abortUploads: { days } }),
      }),
    parse: (content) => {
      const { status, legacyPrefix, abortUploads: abort, ...others } = element.parse(content);
      return {
        ...others,
        enabled: status,
        ...filterOf(legacyPrefix, others.filter),
        ...(abort ? { abortUploadsAfterDays: abort.days } : {}),
      };
    },
  };
}

/**
 * Returns the filter of a lifecycle rule. The rule must have either a prefix or a filter. A rule with neither is
 * rejected. If such a rule applied to the whole bucket, a missing line could delete all objects.
 */
function filterOf(
  legacyPrefix: string | undefined,
  given: LifecycleFilter | undefined,
): Pick<NewLifecycleRule, 'filter' | 'legacyPrefix'> {
  if (legacyPrefix === undefined) {
    if (given === undefined) throw malformedXml('a Rule requires a Filter');
    return { filter: given };
  }
  if (given === undefined) return { filter: { prefix: legacyPrefix }, legacyPrefix: true };
  throw new StorageError(
    'InvalidRequest',
    'set lifecycle: Base level prefix cannot be used in Lifecycle V2, prefixes are only supported in the Filter.',
  );
}

interface Configuration {
  readonly rules: readonly NewLifecycleRule[];
}

const configurationSchema = (isStrict: boolean) =>
  document<Configuration>(
    'LifecycleConfiguration',
    closed<Configuration>({ rules: many('Rule', ruleSchema(isStrict)) }),
  );
const configuration = configurationSchema(true);
const lenientConfiguration = configurationSchema(false);

/**
 * Parses a lifecycle document as PutBucketLifecycleConfiguration does, and returns its rules. Throws the errors of that
 * operation.
 */
export function readLifecycleXml(text: string): readonly NewLifecycleRule[] {
  return configuration.read(text).rules;
}

export const getBucketLifecycle: Operation<BucketInput, LifecycleOutput> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'lifecycle',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      lenientConfiguration,
      ({ rules }) => ({ rules }),
      ({ rules }) => ({ rules: rules.map((each) => ({ ...each, id: each.id ?? '' })) }),
    ),
  },
};

export const putBucketLifecycle: Operation<PutLifecycleInput, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'lifecycle',
  request: {
    parts: [],
    body: requestDocument(
      configuration,
      ({ rules }) => ({ rules }),
      ({ rules }) => ({ rules }),
      { needsDigest: true, maxBytes: MAX_LIFECYCLE_XML_BYTES, maxTags: MAX_XML_TAGS },
    ),
  },
  response: { status: 200, parts: [] },
};

export const deleteBucketLifecycle: Operation<BucketInput, Nothing> = {
  method: 'DELETE',
  target: 'bucket',
  subresource: 'lifecycle',
  request: { parts: [] },
  response: { status: 204, parts: [] },
};

/** The value of the expiration header. The rule ID may contain any character, so it is percent-encoded, as in S3. */
const objectExpiration: Codec<ObjectExpiration> = {
  encode: ({ expiresAt, ruleId }) =>
    `expiry-date="${httpDate.encode(expiresAt)}", rule-id="${percentEncode(ruleId)}"`,
  decode: (header) => {
    const [, date = '', id = ''] = /^expiry-date="([^"]*)", rule-id="(.*)"$/s.exec(header) ?? [];
    const expiresAt = httpDate.decode(date);
    return expiresAt === undefined ? undefined : { expiresAt, ruleId: decodedId(id) };
  },
};

/**
 * Percent-decodes a rule ID. Returns an ID with invalid percent-encoding unchanged, because Ceph RGW does not encode
 * rule IDs.
 */
function decodedId(id: string): string {
  try {
    return percentDecode(id);
  } catch (error) {
    if (isStorageError(error)) return id;
    throw error;
  }
}

/**
 * The header with the time at which a lifecycle rule expires the object, and with the ID of the rule. Absent if no rule
 * applies.
 */
export const expirationHeader = vendor('expiration', 'expiration', objectExpiration, {
  lenient: true,
});
