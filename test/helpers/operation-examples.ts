/** Generates random inputs and outputs of each S3 operation. */

import * as fc from 'fast-check';
import { defined } from '../../src/base/defined.ts';
import { CANNED_ACLS } from '../../src/object-store/rules/access/canned-acl.ts';
import { CHECKSUM_ALGORITHMS } from '../../src/object-store/checksum.ts';
import { OBJECT_ATTRIBUTE_NAMES } from '../../src/object-store/object-attributes.ts';
import type { OperationName } from '../../src/protocol/operations.ts';
import { customerKey, customerKeyMd5 } from './customer-keys.ts';

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.replaceAll('\0', '-'));
const printable = fc
  .string({ minLength: 1, maxLength: 20 })
  .map((text) => `v${text.replaceAll(/[^\x21-\x7e]/g, '')}`);
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
const instant = fc.integer({ min: 0, max: 4102444800 }).map((seconds) => seconds * 1000);
const milliseconds = fc.integer({ min: 0, max: 4102444800000 });
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
/** Generates a record from generators of its fields. The record omits fields that are undefined. */
const some = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members).map((each) => defined(each));

const bucket = fc.constant('a-bucket');
const key = name.filter((text) => text !== '');
const attributes = some({
  contentType: maybe(printable),
  contentEncoding: maybe(fc.constant('gzip')),
  contentDisposition: maybe(name.map((text) => `x${text.replaceAll(/\s|\p{Cc}/gu, '')}`)),
  contentLanguage: maybe(printable),
  cacheControl: maybe(printable),
  expires: maybe(printable),
  websiteRedirect: maybe(printable),
  metadata: maybe(fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), name, { minKeys: 1 })),
});
const retention = fc.record({
  mode: fc.constantFrom('GOVERNANCE', 'COMPLIANCE'),
  retainUntil: milliseconds,
});
const defaultRetention = fc
  .tuple(fc.constantFrom('GOVERNANCE', 'COMPLIANCE'), fc.constantFrom('days', 'years'), fc.nat())
  .map(([mode, unit, count]) => ({ mode, [unit]: count }));
const lock = some({ retention: maybe(retention), legalHold: maybe(fc.boolean()) });
const tags = fc.array(fc.record({ key: name, value: name }));
const someTags = maybe(fc.array(fc.record({ key: name, value: name }), { minLength: 1 }));
const nonEmpty = <T extends object>(each: T) => (Object.keys(each).length === 0 ? undefined : each);
const optionalGroup = <T extends object>(each: fc.Arbitrary<T>) =>
  maybe(each).map((group) => group && nonEmpty(group));
const writeConditions = optionalGroup(
  some({ ifMatch: maybe(fc.oneof(hex, fc.constant('*'))), ifNoneMatch: maybe(fc.constant('*')) }),
);
/**
 * Generates conditions of a delete. Times are whole seconds, because HTTP dates have no fractions
 * of a second.
 */
const deleteConditions = some({
  ifMatch: maybe(hex),
  lastModifiedAt: maybe(instant),
  sizeBytes: maybe(fc.nat()),
});
const readConditions = optionalGroup(
  some({
    ifMatch: maybe(fc.array(hex, { minLength: 1, maxLength: 3 })),
    ifNoneMatch: maybe(fc.array(hex, { minLength: 1, maxLength: 3 })),
    ifModifiedSince: maybe(instant),
    ifUnmodifiedSince: maybe(instant),
  }),
);
const range = fc.oneof(
  fc.nat().map((suffix) => ({ suffix })),
  fc.nat().map((first) => ({ first })),
  fc.tuple(fc.nat(1e9), fc.nat(1e9)).map(([first, length]) => ({ first, last: first + length })),
);
const base64 = fc.base64String({ minLength: 4, maxLength: 12 }).filter((text) => text !== '');
const algorithm = fc.constantFrom(...CHECKSUM_ALGORITHMS);
const checksumType = fc.constantFrom('COMPOSITE', 'FULL_OBJECT');
const checksum = fc.record({ algorithm, value: base64 });
const objectChecksum = fc.record({ algorithm, value: base64, type: checksumType });
const uploadChecksum = {
  checksumAlgorithm: maybe(algorithm),
  checksumType: maybe(checksumType),
};
const object = { bucket, key };
/** Tests compare only whether a customer key is present, because `CustomerKey` hides its bytes. */
const someKey = maybe(fc.constantFrom('a', 'b').map(customerKey));
const encryption = maybe(
  fc.constantFrom('a', 'b').map((each) => ({ algorithm: 'AES256', keyMd5: customerKeyMd5(each) })),
);
const version = { ...object, versionId: maybe(printable) };
const upload = { ...object, uploadId: printable };
const scope = {
  bucket,
  prefix: maybe(key),
  delimiter: maybe(key),
  maxKeys: maybe(fc.nat(1000)),
  encodingType: fc.constant('url'),
};
const read = {
  ...object,
  versionId: maybe(printable),
  range: maybe(range),
  partNumber: maybe(fc.integer({ min: 1, max: 10_000 })),
  withChecksum: maybe(fc.constant(true)),
  conditions: readConditions,
  customerKey: someKey,
};
const head = fc
  .record({
    info: some({
      sizeBytes: fc.nat(),
      etag: hex,
      lastModifiedAt: instant,
      versionId: maybe(printable),
      tagCount: maybe(fc.integer({ min: 1, max: 10 })),
      retention: maybe(retention),
      legalHold: maybe(fc.boolean()),
      checksum: maybe(objectChecksum),
      encryption,
      contentType: printable,
      metadata: maybe(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), name, { minKeys: 1 })),
    }),
    range: fc.boolean(),
    partsCount: maybe(fc.integer({ min: 1, max: 10_000 })),
  })
  .map(({ info, range, partsCount }) =>
    range && info.sizeBytes > 1
      ? defined({ info, range: { first: 1, last: info.sizeBytes - 1 }, partsCount })
      : { info },
  );
const expiration = fc.record({ expiresAt: instant, ruleId: name });
const putMembers = {
  etag: hex,
  versionId: maybe(printable),
  checksum: maybe(objectChecksum),
  expiration: maybe(expiration),
};
const put = some(putMembers);
const putEncrypted = some({ ...putMembers, encryption });
const nothing = fc.constant({});
const lifecycleRules = fc.array(
  fc
    .tuple(
      some({
        id: name,
        enabled: fc.boolean(),
        expiration: maybe(
          fc.oneof(
            fc.record({ days: fc.nat() }),
            fc.record({ date: milliseconds }),
            fc.constant({ expiredDeleteMarker: true }),
          ),
        ),
        noncurrentExpiration: maybe(some({ days: fc.nat(), keepNewest: maybe(fc.nat()) })),
        abortUploadsAfterDays: maybe(fc.nat()),
      }),
      fc.oneof(
        some({
          filter: some({
            prefix: maybe(fc.oneof(name, fc.constant(''))),
            tags: maybe(fc.array(fc.record({ key: name, value: name }), { minLength: 1 })),
            sizeGreaterThan: maybe(fc.nat()),
            sizeLessThan: maybe(fc.nat()),
          }),
        }),
        fc.record({ filter: fc.record({ prefix: name }), legacyPrefix: fc.constant(true) }),
      ),
    )
    .map(([rule, filter]) => Object.assign({}, rule, filter)),
  { minLength: 1, maxLength: 3 },
);
const names = fc.array(printable, { minLength: 1, maxLength: 3 });
const corsRules = fc.array(
  some({
    id: maybe(printable),
    allowedOrigins: fc.array(fc.constantFrom('*', 'https://a.test', 'http://*.b.test:8080')),
    allowedMethods: fc.subarray(['GET', 'PUT', 'POST', 'DELETE', 'HEAD'], { minLength: 1 }),
    allowedHeaders: maybe(names),
    exposeHeaders: maybe(names),
    maxAgeSeconds: maybe(fc.nat()),
  }),
  { minLength: 1, maxLength: 3 },
);
const protocol = maybe(fc.constantFrom('http', 'https'));
const status = maybe(fc.integer({ min: 300, max: 599 }));
const routingRule = some({
  condition: maybe(some({ keyPrefix: maybe(name), errorStatus: status })),
  redirect: some({
    protocol,
    hostName: maybe(printable),
    replaceKeyPrefixWith: maybe(name),
    replaceKeyWith: maybe(name),
    status,
  }),
});
const website = fc.oneof(
  fc.record({ redirectAll: some({ hostName: printable, protocol }) }),
  some({
    indexSuffix: name,
    errorKey: maybe(key),
    routingRules: maybe(fc.array(routingRule, { minLength: 1, maxLength: 3 })),
  }),
);
const listedObject = some({
  key,
  sizeBytes: fc.nat(),
  etag: hex,
  lastModifiedAt: milliseconds,
  owner: maybe(printable),
});
const page = {
  objects: fc.array(listedObject, { maxLength: 5 }),
  commonPrefixes: fc.array(key, { maxLength: 3 }),
};

const permission = fc.constantFrom('READ', 'WRITE', 'READ_ACP', 'WRITE_ACP', 'FULL_CONTROL');
const grantee = fc.oneof(name, fc.constantFrom('AllUsers', 'AuthenticatedUsers'));
const grants = fc.array(
  fc.oneof(fc.record({ grantee, permission }), fc.record({ emailAddress: name, permission })),
);
const canned = fc.record({ canned: fc.constantFrom(...CANNED_ACLS) });
/** A quote or a comma would end the name in a header. */
const unquoted = printable.filter((each) => !/[",]/.test(each));
/**
 * Generates ACLs that headers can express. Headers group the grants by permission, and cannot
 * express an empty ACL or an owner.
 */
const acl = fc.oneof(
  canned,
  fc.record({
    grants: fc.array(fc.record({ grantee: unquoted, permission: fc.constant('READ') }), {
      minLength: 1,
    }),
  }),
);
/**
 * Generates ACLs. The client sends an ACL in headers if they can express it, and otherwise in the
 * XML body.
 */
const aclDocument = fc.oneof(acl, fc.record({ grants, owner: name }), fc.constant({ grants: [] }));
const accessControlList = fc.record({
  owner: name,
  grants: fc.array(fc.record({ grantee, permission })),
});
const policy = fc.json();
const publicAccessBlock = fc.record({
  blockPublicAcls: fc.boolean(),
  ignorePublicAcls: fc.boolean(),
  blockPublicPolicy: fc.boolean(),
  restrictPublicBuckets: fc.boolean(),
});

type Examples = {
  readonly [N in OperationName]: {
    readonly input: fc.Arbitrary<unknown>;
    readonly output: fc.Arbitrary<unknown>;
  };
};

/** Generators of the inputs and outputs of each operation. Every optional field can occur. */
export const EXAMPLES: Examples = {
  ListBuckets: {
    input: nothing,
    output: some({
      buckets: fc.array(fc.record({ name: printable, createdAt: milliseconds })),
      owner: maybe(printable),
    }),
  },
  CreateBucket: {
    input: some({
      bucket,
      objectLockEnabled: maybe(fc.boolean()),
      acl: maybe(acl),
      location: maybe(printable),
    }),
    output: some({ location: maybe(fc.constant('/a-bucket')) }),
  },
  HeadBucket: {
    input: fc.record({ bucket }),
    output: some({
      location: maybe(printable),
      usage: maybe(fc.record({ objects: fc.nat(), sizeBytes: fc.nat() })),
      limits: maybe(fc.record({ objects: fc.nat(), sizeBytes: fc.nat(), buckets: fc.nat() })),
    }),
  },
  DeleteBucket: { input: fc.record({ bucket }), output: nothing },
  GetBucketLocation: { input: fc.record({ bucket }), output: fc.record({ location: printable }) },
  GetBucketVersioning: {
    input: fc.record({ bucket }),
    output: some({ versioning: maybe(fc.constantFrom('Enabled', 'Suspended')) }),
  },
  PutBucketVersioning: {
    input: fc.record({ bucket, versioning: fc.constantFrom('Enabled', 'Suspended') }),
    output: nothing,
  },
  GetBucketAcl: { input: fc.record({ bucket }), output: accessControlList },
  PutBucketAcl: { input: fc.record({ bucket, acl: aclDocument }), output: nothing },
  GetObjectAcl: { input: some(version), output: accessControlList },
  PutObjectAcl: { input: some({ ...version, acl: aclDocument }), output: nothing },
  GetBucketPolicy: { input: fc.record({ bucket }), output: fc.record({ policy }) },
  PutBucketPolicy: { input: fc.record({ bucket, policy }), output: nothing },
  DeleteBucketPolicy: { input: fc.record({ bucket }), output: nothing },
  GetBucketPolicyStatus: {
    input: fc.record({ bucket }),
    output: fc.record({ isPublic: fc.boolean() }),
  },
  GetPublicAccessBlock: { input: fc.record({ bucket }), output: publicAccessBlock },
  PutPublicAccessBlock: {
    input: fc.record({ bucket, block: publicAccessBlock }),
    output: nothing,
  },
  DeletePublicAccessBlock: { input: fc.record({ bucket }), output: nothing },
  GetBucketEncryption: { input: fc.record({ bucket }), output: nothing },
  GetBucketOwnershipControls: { input: fc.record({ bucket }), output: nothing },
  GetBucketReplication: { input: fc.record({ bucket }), output: nothing },
  DeleteBucketEncryption: { input: fc.record({ bucket }), output: nothing },
  DeleteBucketOwnershipControls: { input: fc.record({ bucket }), output: nothing },
  DeleteBucketReplication: { input: fc.record({ bucket }), output: nothing },
  GetObjectLockConfiguration: {
    input: fc.record({ bucket }),
    output: some({
      defaultRetention: maybe(defaultRetention),
    }),
  },
  PutObjectLockConfiguration: {
    input: some({ bucket, defaultRetention: maybe(defaultRetention) }),
    output: nothing,
  },
  GetObjectRetention: { input: some(version), output: retention },
  PutObjectRetention: {
    input: some({ ...version, retention, bypassGovernance: maybe(fc.boolean()) }),
    output: nothing,
  },
  GetObjectLegalHold: { input: some(version), output: fc.record({ legalHold: fc.boolean() }) },
  PutObjectLegalHold: { input: some({ ...version, legalHold: fc.boolean() }), output: nothing },
  GetBucketLifecycleConfiguration: {
    input: fc.record({ bucket }),
    output: fc.record({ rules: lifecycleRules }),
  },
  PutBucketLifecycleConfiguration: {
    input: fc.record({ bucket, rules: lifecycleRules }),
    output: nothing,
  },
  DeleteBucketLifecycle: { input: fc.record({ bucket }), output: nothing },
  GetBucketCors: { input: fc.record({ bucket }), output: fc.record({ rules: corsRules }) },
  PutBucketCors: { input: fc.record({ bucket, rules: corsRules }), output: nothing },
  DeleteBucketCors: { input: fc.record({ bucket }), output: nothing },
  GetBucketWebsite: { input: fc.record({ bucket }), output: website },
  PutBucketWebsite: { input: fc.record({ bucket, website }), output: nothing },
  DeleteBucketWebsite: { input: fc.record({ bucket }), output: nothing },
  ListObjectsV2: {
    input: some({
      ...scope,
      startAfter: maybe(key),
      continuationToken: maybe(printable),
      fetchOwner: maybe(fc.boolean()),
    }),
    output: some({ ...page, nextToken: maybe(printable) }),
  },
  ListObjects: {
    input: some({ ...scope, startAfter: maybe(key) }),
    output: some({ ...page, nextMarker: maybe(key) }),
  },
  ListObjectVersions: {
    input: some({ ...scope, keyMarker: maybe(key), versionIdMarker: maybe(printable) }),
    output: some({
      versions: fc.array(
        fc.oneof(
          fc.record({
            kind: fc.constant('version'),
            key,
            versionId: printable,
            isLatest: fc.boolean(),
            lastModifiedAt: milliseconds,
            sizeBytes: fc.nat(),
            etag: hex,
          }),
          fc.record({
            kind: fc.constant('delete-marker'),
            key,
            versionId: printable,
            isLatest: fc.boolean(),
            lastModifiedAt: milliseconds,
            sizeBytes: fc.constant(0),
            etag: fc.constant(''),
            owner: printable,
          }),
        ),
      ),
      commonPrefixes: page.commonPrefixes,
      next: maybe(some({ keyMarker: key, versionIdMarker: maybe(printable) })),
    }),
  },
  ListMultipartUploads: {
    input: some({
      bucket,
      prefix: maybe(key),
      delimiter: maybe(key),
      keyMarker: maybe(key),
      uploadIdMarker: maybe(printable),
      maxUploads: maybe(fc.nat(1000)),
      encodingType: fc.constant('url'),
    }),
    output: some({
      uploads: fc.array(
        some({
          key,
          uploadId: printable,
          initiatedAt: milliseconds,
          owner: maybe(printable),
          ...uploadChecksum,
        }),
      ),
      commonPrefixes: page.commonPrefixes,
      next: maybe(some({ keyMarker: key, uploadIdMarker: maybe(printable) })),
    }),
  },
  PutObject: {
    input: some({
      ...object,
      attributes: optionalGroup(attributes),
      acl: maybe(acl),
      tags: someTags,
      lock: optionalGroup(lock),
      conditions: writeConditions,
      customerKey: someKey,
    }),
    output: putEncrypted,
  },
  GetObject: { input: some(read), output: head },
  HeadObject: { input: some(read), output: head },
  GetObjectAttributes: {
    input: some({
      ...object,
      versionId: maybe(printable),
      wanted: fc.uniqueArray(fc.constantFrom(...OBJECT_ATTRIBUTE_NAMES), { minLength: 1 }),
      maxParts: maybe(fc.nat(1000)),
      partNumberMarker: maybe(fc.nat(10_000)),
      customerKey: someKey,
    }),
    output: some({
      lastModifiedAt: instant,
      versionId: maybe(printable),
      etag: maybe(hex),
      checksum: maybe(objectChecksum),
      parts: maybe(
        some({
          totalCount: fc.nat(),
          parts: fc.array(
            some({ partNumber: fc.nat(), sizeBytes: fc.nat(), checksum: maybe(checksum) }),
          ),
          nextPartNumberMarker: maybe(fc.nat()),
        }),
      ),
      storageClass: maybe(fc.constant('STANDARD')),
      sizeBytes: maybe(fc.nat()),
    }),
  },
  GetObjectTagging: {
    input: some({ ...object, versionId: maybe(printable) }),
    output: some({
      tags,
      versionId: maybe(printable),
    }),
  },
  PutObjectTagging: {
    input: some({ ...object, versionId: maybe(printable), tags }),
    output: some({ versionId: maybe(printable) }),
  },
  DeleteObjectTagging: {
    input: some({ ...object, versionId: maybe(printable) }),
    output: some({ versionId: maybe(printable) }),
  },
  GetBucketTagging: { input: fc.record({ bucket }), output: fc.record({ tags }) },
  PutBucketTagging: { input: fc.record({ bucket, tags }), output: nothing },
  DeleteBucketTagging: { input: fc.record({ bucket }), output: nothing },
  CopyObject: {
    input: some({
      ...object,
      source: some({ ...object, versionId: maybe(printable) }),
      attributes: maybe(attributes),
      tags: maybe(tags),
      lock: optionalGroup(lock),
      conditions: writeConditions,
      sourceConditions: readConditions,
      checksumAlgorithm: maybe(algorithm),
      sourceCustomerKey: someKey,
      customerKey: someKey,
    }),
    output: some({
      etag: hex,
      encryption,
      lastModifiedAt: milliseconds,
      versionId: maybe(printable),
      checksum: maybe(objectChecksum),
      sourceVersionId: maybe(printable),
    }),
  },
  DeleteObject: {
    input: some({
      ...object,
      versionId: maybe(printable),
      bypassGovernance: maybe(fc.boolean()),
      conditions: optionalGroup(deleteConditions),
    }),
    output: some({ versionId: maybe(printable), deleteMarker: fc.boolean() }),
  },
  DeleteObjects: {
    input: some({
      bucket,
      objects: fc.array(
        some({ key, versionId: maybe(printable), conditions: optionalGroup(deleteConditions) }),
        { minLength: 1, maxLength: 5 },
      ),
      quiet: maybe(fc.boolean()),
      bypassGovernance: maybe(fc.boolean()),
    }),
    output: fc.record({
      deleted: fc.array(
        some({
          key,
          versionId: maybe(printable),
          deleteMarker: maybe(fc.boolean()),
          deleteMarkerVersionId: maybe(printable),
        }),
      ),
      failed: fc.array(
        some({ key, versionId: maybe(printable), code: printable, message: printable }),
      ),
    }),
  },
  CreateMultipartUpload: {
    input: some({
      ...object,
      attributes: optionalGroup(attributes),
      acl: maybe(acl),
      tags: someTags,
      lock: optionalGroup(lock),
      ...uploadChecksum,
      customerKey: someKey,
    }),
    output: some({ uploadId: printable, ...uploadChecksum, encryption }),
  },
  UploadPartCopy: {
    input: some({
      ...upload,
      partNumber: fc.integer({ min: 1, max: 10_000 }),
      source: some({ ...object, versionId: maybe(printable) }),
      range: maybe(range),
      sourceConditions: readConditions,
      sourceCustomerKey: someKey,
      customerKey: someKey,
    }),
    output: some({
      etag: hex,
      encryption,
      checksum: maybe(checksum),
      lastModifiedAt: milliseconds,
      sourceVersionId: maybe(printable),
    }),
  },
  UploadPart: {
    input: some({
      ...upload,
      partNumber: fc.integer({ min: 1, max: 10_000 }),
      customerKey: someKey,
    }),
    output: some({ etag: hex, checksum: maybe(checksum), encryption }),
  },
  CompleteMultipartUpload: {
    input: some({
      ...upload,
      parts: fc.array(some({ partNumber: fc.nat(10_000), etag: hex, checksum: maybe(checksum) }), {
        minLength: 1,
      }),
      conditions: writeConditions,
      checksum: maybe(checksum),
      checksumType: maybe(checksumType),
      sizeBytes: maybe(fc.nat()),
      customerKey: someKey,
    }),
    output: put,
  },
  AbortMultipartUpload: { input: fc.record(upload), output: nothing },
  ListParts: {
    input: some({
      ...upload,
      partNumberMarker: maybe(fc.nat()),
      maxParts: maybe(fc.nat(1000)),
      customerKey: someKey,
    }),
    output: some({
      parts: fc.array(
        some({
          partNumber: fc.nat(),
          etag: hex,
          sizeBytes: fc.nat(),
          lastModifiedAt: milliseconds,
          checksum: maybe(checksum),
        }),
      ),
      nextPartNumberMarker: maybe(fc.nat()),
      owner: maybe(printable),
      ...uploadChecksum,
    }),
  },
};
