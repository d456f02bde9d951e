/**
 * Tests of the size limits of XML request bodies. The largest valid body is parsed, and a larger
 * one is refused before it is parsed.
 */

import { describe, expect, test } from 'vitest';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import { decodeRequest, OPERATIONS, type OperationName } from '../../../src/protocol/operations.ts';
import { Headers } from '../../../src/protocol/headers.ts';

const target = { bucket: 'box', key: 'k' };
const query = [['uploadId', 'u']] as const;

function decode(name: OperationName, body: string): unknown {
  return decodeRequest(name, { target, query, headers: new Headers([]), body }, amzDialect);
}

const ofXml = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => {
  const { body } = OPERATIONS[name].request;
  return typeof body === 'object' && body.contentType === undefined;
});

const MOST_TAGS: Partial<Record<OperationName, number>> = {
  CompleteMultipartUpload: 120_000,
  DeleteObjects: 16_000,
  PutBucketLifecycleConfiguration: 120_000,
};

describe.each(ofXml)('size limits of the XML body of %s', (name) => {
  const most = MOST_TAGS[name] ?? 10_000;
  const refused = {
    code: name.endsWith('Acl') ? 'MalformedACLError' : 'MalformedXML',
    message: expect.stringContaining(`more than ${most} tags`) as string,
  };

  test.each([
    ['empty elements', '<B/>'],
    ['elements with attributes', '<b c="d"/>'],
    ['comments', '<!---->'],
    ['text that is not XML', '<'],
  ])(
    'the gateway refuses an XML request body with too many tags before parsing it: %s',
    (_, unit) => {
      expect(() => decode(name, `<A>${unit.repeat(most)}</A>`)).toThrow(
        expect.objectContaining(refused),
      );
    },
  );
});

describe('the largest valid XML request bodies', () => {
  test('the gateway reads a DeleteObjects request body of 1,000 objects with all their elements', () => {
    const object =
      `<Object><Key><![CDATA[${'k'.repeat(1024)}]]></Key><VersionId><![CDATA[v]]></VersionId><ETag>"e"</ETag>` +
      '<LastModifiedTime>2026-01-01T00:00:00Z</LastModifiedTime><Size>1</Size></Object>';
    const body = `<Delete><Quiet>true</Quiet>${object.repeat(1000)}</Delete>`;
    expect(decode('DeleteObjects', body)).toMatchObject({ objects: { length: 1000 } });
  });

  test('the gateway reads a CompleteMultipartUpload request body of 10,000 parts with checksums', () => {
    const part = (number: number) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>"e"</ETag><ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>`;
    const parts = Array.from({ length: 10_000 }, (_, index) => part(index + 1)).join('\n');
    const body = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`;
    expect(decode('CompleteMultipartUpload', body)).toMatchObject({ parts: { length: 10_000 } });
  });

  test('the gateway reads a lifecycle configuration of 1,000 rules with ten tags each', () => {
    const tags = '<Tag><Key>k</Key><Value>v</Value></Tag>'.repeat(10);
    const rule = (index: number) =>
      `<Rule><ID>${index}</ID><Status>Enabled</Status><Filter><And><Prefix>p</Prefix>${tags}</And></Filter>` +
      '<Expiration><Days>1</Days></Expiration></Rule>';
    const rules = Array.from({ length: 1000 }, (_, index) => rule(index)).join('');
    const body = `<LifecycleConfiguration>${rules}</LifecycleConfiguration>`;
    expect(decode('PutBucketLifecycleConfiguration', body)).toMatchObject({
      rules: { length: 1000 },
    });
  });
});
