/**
 * Valid XML documents for each operation with an XML body, and invalid values for their elements. A
 * document contains all elements that can occur together. test/wire/bad-input.test.ts derives
 * invalid documents from them.
 */

import { bytesBody } from '../../src/object-store/body.ts';
import { OPERATIONS, type OperationName } from '../../src/protocol/operations.ts';
import { GRANTEES } from './wire-bench.ts';
import type { Wire } from './wire.ts';

/** Element that may occur several times, up to a limit. */
interface Repeated {
  readonly limit: number;
  /** Returns the element with this number. No two elements are equal. */
  readonly element: (index: number) => string;
  /** Error code for an XML body with more than `limit` elements. */
  readonly code: string;
}

export interface ValidDocument {
  /**
   * Request line of the operation. The bucket `{box}` has Object Lock, an object `a`, and a
   * multipart upload `{upload}` of `b` with one part.
   */
  readonly line: string;
  readonly body: string;
  /** Error code for a malformed XML body. The default is MalformedXML. */
  readonly malformed?: string;
  /** Additional error codes for invalid values. */
  readonly invalid?: readonly string[];
  /** Elements that may occur a limited number of times, by element name. */
  readonly repeated?: Readonly<Record<string, Repeated>>;
  /** Elements that may occur any number of times. */
  readonly many?: readonly string[];
  /**
   * Elements in which unknown child elements are ignored. In all other elements an unknown child is
   * refused, because it may be a misspelled filter.
   */
  readonly passesOver?: readonly string[];
}

const tag = (key: string, value = 'v') => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`;
const tags = (limit: number) => ({
  Tag: { limit, element: (index: number) => tag(`k${index}`), code: 'InvalidTag' },
});
const grant = (grantee: string, permission = 'READ') =>
  `<Grant><Grantee>${grantee}</Grantee><Permission>${permission}</Permission></Grant>`;
const list =
  `<AccessControlPolicy><Owner><ID>p1:ada@c1</ID></Owner><AccessControlList>${grant(`<ID>${GRANTEES.project}</ID>`)}` +
  grant('<URI>http://acs.amazonaws.com/groups/global/AllUsers</URI>', 'READ_ACP') +
  `${grant(`<EmailAddress>${GRANTEES.email}</EmailAddress>`, 'WRITE_ACP')}</AccessControlList></AccessControlPolicy>`;
const acl = {
  body: list,
  malformed: 'MalformedACLError',
  // If the owner in the XML body is not the current owner, the error is AccessDenied.
  invalid: ['InvalidArgument', 'UnresolvableGrantByEmailAddress', 'AccessDenied'],
  passesOver: ['Owner'],
  repeated: {
    Grant: {
      limit: 100,
      element: () => grant(`<ID>${GRANTEES.project}</ID>`),
      code: 'LimitExceeded',
    },
  },
} as const;
const HELLO = '5d41402abc4b2a76b9719d911017c592';
const DAYS = '<Expiration><Days>1</Days></Expiration>';

const DOCUMENTS: Partial<Record<OperationName, ValidDocument>> = {
  CreateBucket: {
    line: 'PUT /{box}-new',
    passesOver: ['CreateBucketConfiguration'],
    body: '<CreateBucketConfiguration><LocationConstraint>us-east-1</LocationConstraint></CreateBucketConfiguration>',
    invalid: ['InvalidLocationConstraint'],
  },
  PutBucketVersioning: {
    line: 'PUT /{box}?versioning',
    passesOver: ['VersioningConfiguration'],
    body: '<VersioningConfiguration><Status>Enabled</Status><MfaDelete>Disabled</MfaDelete></VersioningConfiguration>',
    invalid: ['NotImplemented'],
  },
  PutBucketAcl: { line: 'PUT /{box}?acl', ...acl },
  PutObjectAcl: { line: 'PUT /{box}/a?acl', ...acl },
  PutBucketPolicy: {
    line: 'PUT /{box}?policy',
    body: JSON.stringify({
      Version: '2012-10-17',
      Id: 'all',
      Statement: [
        {
          Sid: 'one',
          Effect: 'Allow',
          Principal: { AWS: [GRANTEES.project] },
          Action: ['s3:GetObject'],
          Resource: ['arn:aws:s3:::{box}/*'],
          Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
        },
      ],
    }),
    malformed: 'MalformedPolicy',
  },
  PutPublicAccessBlock: {
    line: 'PUT /{box}?publicAccessBlock',
    body:
      '<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls>' +
      '<BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlockConfiguration>',
  },
  PutObjectLockConfiguration: {
    line: 'PUT /{box}?object-lock',
    passesOver: ['ObjectLockConfiguration', 'Rule', 'DefaultRetention'],
    body:
      '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>' +
      '<Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule></ObjectLockConfiguration>',
    invalid: ['InvalidRetentionPeriod'],
  },
  PutBucketLifecycleConfiguration: {
    line: 'PUT /{box}?lifecycle',
    passesOver: ['Tag'],
    many: ['Tag'],
    body:
      '<LifecycleConfiguration><Rule><ID>r</ID><Status>Enabled</Status><Filter><And><Prefix>a</Prefix>' +
      `${tag('k')}<ObjectSizeGreaterThan>1</ObjectSizeGreaterThan><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>${DAYS}` +
      '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>1</NewerNoncurrentVersions>' +
      '</NoncurrentVersionExpiration></Rule><Rule><Status>Enabled</Status><Filter><Prefix>b</Prefix></Filter>' +
      '<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>' +
      '<Rule><Status>Disabled</Status><Filter/><Expiration><Date>2026-12-24T00:00:00Z</Date></Expiration></Rule>' +
      '<Rule><Status>Disabled</Status><Filter/><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration></Rule>' +
      '</LifecycleConfiguration>',
    invalid: ['InvalidArgument', 'InvalidRequest', 'InvalidTag'],
    repeated: {
      Rule: {
        limit: 1000,
        element: (index) =>
          `<Rule><ID>${index}</ID><Status>Enabled</Status><Filter/>${DAYS}</Rule>`,
        code: 'MalformedXML',
      },
    },
  },
  PutBucketCors: {
    line: 'PUT /{box}?cors',
    passesOver: ['CORSConfiguration', 'CORSRule'],
    body:
      '<CORSConfiguration><CORSRule><ID>r</ID><AllowedOrigin>https://a.test</AllowedOrigin><AllowedMethod>GET</AllowedMethod>' +
      '<AllowedHeader>x-*</AllowedHeader><ExposeHeader>etag</ExposeHeader><MaxAgeSeconds>9</MaxAgeSeconds></CORSRule></CORSConfiguration>',
    invalid: ['InvalidRequest'],
    many: ['AllowedOrigin', 'AllowedMethod', 'AllowedHeader', 'ExposeHeader'],
    repeated: {
      CORSRule: {
        limit: 100,
        element: () =>
          '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>',
        code: 'InvalidRequest',
      },
    },
  },
  PutBucketWebsite: {
    line: 'PUT /{box}?website',
    passesOver: [
      'WebsiteConfiguration',
      'IndexDocument',
      'ErrorDocument',
      'RoutingRules',
      'RoutingRule',
      'Condition',
      'Redirect',
    ],
    body:
      '<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument><ErrorDocument><Key>e.html</Key></ErrorDocument>' +
      '<RoutingRules><RoutingRule><Condition><KeyPrefixEquals>a/</KeyPrefixEquals><HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals>' +
      '</Condition><Redirect><Protocol>https</Protocol><HostName>a.test</HostName><ReplaceKeyPrefixWith>b/</ReplaceKeyPrefixWith>' +
      '<HttpRedirectCode>307</HttpRedirectCode></Redirect></RoutingRule></RoutingRules></WebsiteConfiguration>',
    invalid: ['InvalidArgument', 'InvalidRequest', 'KeyTooLongError'],
    repeated: {
      RoutingRule: {
        limit: 50,
        element: (index) =>
          `<RoutingRule><Condition><KeyPrefixEquals>${index}</KeyPrefixEquals></Condition><Redirect><HostName>a.test</HostName></Redirect></RoutingRule>`,
        code: 'InvalidRequest',
      },
    },
  },
  PutObjectTagging: {
    line: 'PUT /{box}/a?tagging',
    passesOver: ['Tagging', 'TagSet', 'Tag'],
    body: `<Tagging><TagSet>${tag('k')}</TagSet></Tagging>`,
    invalid: ['InvalidTag'],
    repeated: tags(10),
  },
  PutBucketTagging: {
    line: 'PUT /{box}?tagging',
    passesOver: ['Tagging', 'TagSet', 'Tag'],
    body: `<Tagging><TagSet>${tag('k')}</TagSet></Tagging>`,
    invalid: ['InvalidTag'],
    repeated: tags(50),
  },
  PutObjectRetention: {
    line: 'PUT /{box}/a?retention',
    passesOver: ['Retention'],
    body: '<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>2100-01-01T00:00:00.5Z</RetainUntilDate></Retention>',
    invalid: ['InvalidArgument'],
  },
  PutObjectLegalHold: {
    line: 'PUT /{box}/a?legal-hold',
    passesOver: ['LegalHold'],
    body: '<LegalHold><Status>ON</Status></LegalHold>',
  },
  DeleteObjects: {
    line: 'POST /{box}?delete',
    passesOver: ['Delete'],
    body:
      '<Delete><Quiet>true</Quiet><Object><Key>none</Key><VersionId>null</VersionId><ETag>x</ETag><Size>1</Size>' +
      '<LastModifiedTime>Sat, 21 Nov 2026 00:00:00 GMT</LastModifiedTime></Object></Delete>',
    repeated: {
      Object: {
        limit: 1000,
        element: (index) => `<Object><Key>none${index}</Key><VersionId>null</VersionId></Object>`,
        code: 'MalformedXML',
      },
    },
  },
  CompleteMultipartUpload: {
    line: 'POST /{box}/b?uploadId={upload}',
    passesOver: ['CompleteMultipartUpload', 'Part'],
    body:
      `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${HELLO}</ETag><ChecksumCRC32>NhCmhg==</ChecksumCRC32></Part>` +
      '</CompleteMultipartUpload>',
    invalid: ['InvalidPart'],
    repeated: {
      Part: {
        limit: 10_000,
        element: (index) => `<Part><PartNumber>${index}</PartNumber><ETag>${HELLO}</ETag></Part>`,
        code: 'MalformedXML',
      },
    },
  },
};

/** Returns the valid XML bodies by operation. Throws an error if an operation with an XML body has no valid one. */
export function validDocuments(): readonly (readonly [OperationName, ValidDocument])[] {
  const names = Object.keys(OPERATIONS) as OperationName[];
  return names
    .filter((name) => typeof OPERATIONS[name].request.body === 'object')
    .map((name) => {
      const document = DOCUMENTS[name];
      if (document === undefined)
        throw new Error(
          `the operation ${name} has an XML body, but no valid document is listed for it`,
        );
      return [name, document] as const;
    });
}

const COUNT = ['', '-1', '0.5', 'one', ' ', '1e3', '0x1', '99999999999999999999'];
const DAYS_OF_RULE = ['0', '1000000000', ...COUNT];
const INVALID_GRANTEES = ['', 'p9@c1', 'p2:nobody@c1', 'a@example.com', 'AllUsers', '*'];
const NO_TAG = ['', 'k'.repeat(129), 'aws:x', 'a&lt;b', 'a&#1;b'];
const WORD = ['', 'enabled', 'yes', 'ENABLED '];

/**
 * Invalid values of each element. If the list is empty, every text is valid. A name
 * `Operation/Element` applies only to one operation.
 */
export const BAD_VALUES: Readonly<Record<string, readonly string[]>> = {
  LocationConstraint: ['moon-1', 'US-EAST-1'],
  Status: WORD,
  MfaDelete: [...WORD, 'Enabled'],
  ID: [],
  'PutBucketAcl/ID': INVALID_GRANTEES,
  'PutObjectAcl/ID': INVALID_GRANTEES,
  URI: ['', 'http://acs.amazonaws.com/groups/s3/LogDelivery', 'AllUsers'],
  EmailAddress: ['', 'nobody@example.com', 'p2@c1'],
  Permission: ['', 'read', 'DELETE', 'READ '],
  BlockPublicAcls: WORD,
  IgnorePublicAcls: WORD,
  BlockPublicPolicy: WORD,
  RestrictPublicBuckets: WORD,
  ObjectLockEnabled: [...WORD, 'Disabled'],
  Mode: ['', 'governance', 'NONE'],
  Days: DAYS_OF_RULE,
  NoncurrentDays: DAYS_OF_RULE,
  DaysAfterInitiation: DAYS_OF_RULE,
  NewerNoncurrentVersions: ['0', '101', ...COUNT],
  Prefix: [],
  ObjectSizeGreaterThan: COUNT,
  ObjectSizeLessThan: COUNT,
  Date: ['', '2026-12-24T12:00:00Z', '2026-13-01', 'tomorrow', '0'],
  ExpiredObjectDeleteMarker: WORD,
  Key: [],
  'PutObjectTagging/Key': NO_TAG,
  'PutBucketTagging/Key': NO_TAG,
  Value: ['v'.repeat(257), 'a&lt;b', 'a\tb'],
  AllowedOrigin: ['', 'https://*.*', 'https://a.test b', 'https://a.test&#10;x'],
  AllowedMethod: ['', 'PATCH', 'get', '*'],
  AllowedHeader: ['*-*', 'a&#13;b'],
  ExposeHeader: ['*', 'a&#13;&#10;b'],
  MaxAgeSeconds: COUNT,
  Suffix: ['', 'a/b', '/'],
  'PutBucketWebsite/Key': ['', 'k'.repeat(1025)],
  KeyPrefixEquals: [],
  HttpErrorCodeReturnedEquals: ['', '200', '399', '600', 'x'],
  Protocol: ['', 'ftp', 'javascript', 'HTTPS'],
  HostName: ['', 'a/b', 'a@b', 'a&#10;b', 'a.test?x'],
  ReplaceKeyPrefixWith: ['a&#10;b'],
  HttpRedirectCode: ['', '200', '299', '400', 'x'],
  RetainUntilDate: ['', '2000-01-01T00:00:00Z', '1970-01-01', 'tomorrow', '2100-13-01T00:00:00Z'],
  Quiet: WORD,
  VersionId: [],
  ETag: [],
  Size: COUNT,
  LastModifiedTime: ['tomorrow', '2026'],
  PartNumber: ['', '0', '-1', '10001', 'one', '2'],
  'CompleteMultipartUpload/ETag': ['', '00000000000000000000000000000000', 'x'],
  ChecksumCRC32: ['', 'AAAAAA=='],
};

/** Creates the bucket, the object and the multipart upload that the request lines refer to. */
export async function prepareDocuments(wire: Wire): Promise<void> {
  await wire.box({ objectLockEnabled: true });
  await wire.put('a', 'hello', { tags: [{ key: 'kept', value: '1' }] });
  const ref = { bucket: wire.get('box'), key: 'b' };
  const { uploadId } = await wire.store.createUpload(ref);
  wire.name('upload', uploadId);
  await wire.store.uploadPart({ ...ref, uploadId, partNumber: 1, body: bytesBody('hello') });
}
