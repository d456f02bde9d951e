/**
 * Fuzz targets that parse XML and JSON request bodies of the storage and cluster services, and that evaluate the
 * result.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { documentOf } from '../../../../src/cluster/gateway/cluster-gateway.ts';
import { answerPreflight } from '../../../../src/gateway/preflight.ts';
import { checkCorsRules } from '../../../../src/object-store/rules/cors.ts';
import { expirationOf } from '../../../../src/object-store/rules/lifecycle-evaluation.ts';
import { ActiveRules } from '../../../../src/object-store/rules/lifecycle-rules.ts';
import { checkLifecycle, nameRules } from '../../../../src/object-store/rules/lifecycle.ts';
import { StorageError } from '../../../../src/object-store/storage-error.ts';
import { amzDialect } from '../../../../src/protocol/dialect.ts';
import {
  decodeRequest,
  type Input,
  OPERATIONS,
  type OperationName,
} from '../../../../src/protocol/operations.ts';
import { writeXml } from '../../../../src/protocol/xml/element.ts';
import { MAX_XML_BYTES, MAX_XML_TAGS, parseXml } from '../../../../src/protocol/xml/parse.ts';
import {
  DOCUMENT_BUDGET_MS,
  REQUEST_BUDGET_MS,
  type FuzzInput,
  type FuzzTarget,
} from '../target.ts';
import { Headers } from '../../../../src/protocol/headers.ts';

const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
const MAX_CLUSTER_BYTES = 256 * 1024;
const MAX_HEADER_CHARACTERS = 15_000;

export const XML_TOKENS = [
  '<a>',
  '</a>',
  '<a/>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?x ?>',
  '&amp;',
  '&b;',
  '&#0;',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&#x110000;',
  '&#xD800;',
  '<__proto__>',
  'x:',
  ' xmlns:x="y"',
  ' a="',
  '<',
  '>',
  '&',
  "<a b='>",
];

const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const deletions = fc.tuple(key, key).map(([a, b]) =>
  writeXml({
    name: 'Delete',
    content: [
      { name: 'Object', content: [{ name: 'Key', content: a }] },
      { name: 'Quiet', content: b },
    ],
  }),
);

const LIFECYCLES = [
  '<LifecycleConfiguration><Rule><Filter><Prefix>a</Prefix></Filter><Status>Enabled</Status><Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>',
  '<LifecycleConfiguration><Rule><ID>x</ID><Filter><And><Prefix>k</Prefix><Tag><Key>a</Key><Value>b</Value></Tag><Tag><Key>c</Key><Value>b</Value></Tag></And></Filter><Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration><Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>',
];
const CORS = [
  '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedHeader>*b</AllowedHeader><AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>',
  '<CORSConfiguration><CORSRule><AllowedOrigin>https://*.x</AllowedOrigin><AllowedOrigin>https://a.b</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedHeader>x-*</AllowedHeader><ExposeHeader>etag</ExposeHeader></CORSRule></CORSConfiguration>',
];

/** Examples for each operation whose XML body can have any number of elements. */
const DOCUMENTS: Partial<Record<OperationName, readonly string[]>> = {
  DeleteObjects: ['<Delete><Quiet>true</Quiet><Object><Key>a</Key></Object></Delete>'],
  CompleteMultipartUpload: [
    '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"a"</ETag><ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part></CompleteMultipartUpload>',
  ],
  PutBucketLifecycleConfiguration: LIFECYCLES,
  PutBucketCors: CORS,
  PutBucketTagging: ['<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>'],
  PutBucketAcl: [
    '<AccessControlPolicy><Owner><ID>p1:ada@c1</ID></Owner><AccessControlList><Grant><Grantee><ID>p1@c1</ID></Grantee><Permission>READ</Permission></Grant></AccessControlList></AccessControlPolicy>',
  ],
  PutBucketWebsite: [
    '<WebsiteConfiguration><IndexDocument><Suffix>i</Suffix></IndexDocument><RoutingRules><RoutingRule><Condition><KeyPrefixEquals>a</KeyPrefixEquals></Condition><Redirect><HostName>h</HostName></Redirect></RoutingRule></RoutingRules></WebsiteConfiguration>',
  ],
};
const OPERATION_NAMES = Object.keys(DOCUMENTS) as OperationName[];

/** Decodes an XML body as the gateway does. Applies the size limit of the operation. */
function decode<N extends OperationName>(name: N, body: string): Input<N> {
  const { body: rules } = OPERATIONS[name].request;
  const maxBytes = (typeof rules === 'object' ? rules.maxBytes : undefined) ?? MAX_XML_BYTES;
  if (Buffer.byteLength(body) > maxBytes)
    throw new StorageError('MaxMessageLengthExceeded', `more than ${maxBytes} bytes`);
  const target = { bucket: 'a-bucket', key: 'k' };
  const query = [['uploadId', 'u']] as const;
  return decodeRequest(name, { target, query, headers: new Headers([]), body }, amzDialect);
}

const operationOf = ({ operation }: FuzzInput): OperationName => {
  const name = OPERATION_NAMES.find((each) => each === operation);
  if (name === undefined) throw new StorageError('InvalidRequest', `no operation ${operation}`);
  return name;
};

const headers = {
  tokens: ['a,', 'ab,', 'bbbb,', 'x-', '*', ',', ' '],
  maxLength: MAX_HEADER_CHARACTERS,
};

export const DOCUMENT_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'XML',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: { xml: { valid: deletions, tokens: XML_TOKENS, maxLength: MAX_DOCUMENT_BYTES } },
    prepare:
      ({ xml = '' }) =>
      () =>
        parseXml(xml, MAX_XML_TAGS),
    check: (root, { xml = '' }) => {
      assert(JSON.stringify(root).length < 20 * xml.length + 100);
      assert.deepEqual(Object.keys(Object.prototype), []);
    },
    runs: 1_000,
  },
  {
    name: 'XML document of an operation',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: {
      operation: {
        valid: fc.constantFrom(...OPERATION_NAMES),
        tokens: OPERATION_NAMES,
        maxLength: 40,
      },
      xml: {
        valid: fc.constantFrom(...Object.values(DOCUMENTS).flat()),
        tokens: XML_TOKENS,
        maxLength: MAX_DOCUMENT_BYTES,
      },
    },
    prepare: (input) => () => decode(operationOf(input), input['xml'] ?? ''),
  },
  {
    name: 'CORS preflight',
    budgetMs: REQUEST_BUDGET_MS,
    fields: {
      rules: {
        valid: fc.constantFrom(...CORS),
        tokens: [...XML_TOKENS, '*b', 'x'],
        maxLength: MAX_XML_BYTES,
      },
      origin: { ...headers, valid: fc.constantFrom('https://a.b', 'https://c.x') },
      headers: {
        ...headers,
        valid: fc.constantFrom('a,b', 'x-a, x-b', 'a,c,d,e,f,g,h,i,'.repeat(8)),
      },
    },
    prepare: ({ rules: xml = '', origin = '', headers: asked = '' }) => {
      const { rules } = decode('PutBucketCors', xml);
      checkCorsRules(rules);
      const request = {
        target: { bucket: 'a-bucket', key: 'k' },
        headers: new Headers([
          ['origin', origin],
          ['access-control-request-method', 'GET'],
          ['access-control-request-headers', asked],
        ]),
      };
      return () => answerPreflight(request, rules);
    },
  },
  {
    name: 'lifecycle document',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: {
      xml: {
        valid: fc.constantFrom(...LIFECYCLES),
        tokens: XML_TOKENS,
        maxLength: MAX_DOCUMENT_BYTES,
      },
    },
    prepare:
      ({ xml = '' }) =>
      () => {
        const { rules } = decode('PutBucketLifecycleConfiguration', xml);
        checkLifecycle(rules);
        return new ActiveRules(nameRules(rules));
      },
  },
  {
    name: 'lifecycle of an object that is read',
    budgetMs: REQUEST_BUDGET_MS,
    fields: {
      xml: {
        valid: fc.constantFrom(...LIFECYCLES),
        tokens: XML_TOKENS,
        maxLength: MAX_DOCUMENT_BYTES,
      },
      key: { valid: fc.constantFrom('k', 'a/b'), maxLength: 1024 },
    },
    prepare: ({ xml = '', key: name = '' }) => {
      const { rules } = decode('PutBucketLifecycleConfiguration', xml);
      checkLifecycle(rules);
      const active = new ActiveRules(nameRules(rules));
      const tags = Array.from({ length: 10 }, (_, index) => ({ key: `k${index}`, value: 'b' }));
      const version = { key: name, isDeleteMarker: false, sizeBytes: 1, lastModifiedAt: 0, tags };
      return () => expirationOf(active.of(name), version);
    },
  },
  {
    name: 'cluster request body',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: {
      json: {
        valid: fc.constantFrom(
          '{"name":"a","labels":{"a":"b"},"subnets":["a","b"]}',
          '{"a":[[1]]}',
        ),
        tokens: [
          '[',
          ']',
          '{"a":',
          '}',
          '"labels":{',
          'null',
          '1e999',
          '__proto__',
          '"a",',
          '\\u0000',
        ],
        maxLength: MAX_CLUSTER_BYTES,
      },
    },
    prepare: ({ json = '' }) => {
      const body = Buffer.from(json);
      return () => documentOf('POST', body);
    },
  },
];
