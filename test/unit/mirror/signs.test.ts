/**
 * Tests of detecting encryption by malware from the content of a file before and after a change.
 */

import { createCipheriv } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  contentFacts,
  ContentSampler,
  readFacts,
  writeFacts,
} from '../../../src/mirror/local/content-facts.ts';
import { FILE_TYPES } from '../../../src/mirror/model/file-types.ts';
import {
  isAttack,
  looksEncrypted,
  anomalyLimit,
  anomaliesOf,
  stemsOf,
  suffixOf,
} from '../../../src/mirror/plan/anomaly-signs.ts';
import {
  armored,
  ascii85,
  base64,
  digests,
  inLines,
  mail,
  minified,
  pem,
  sourceMap,
  svg,
  uuids,
} from '../../helpers/encoded-text.ts';
import { noise, sampleFiles } from '../../helpers/sample-files.ts';

const FILES = sampleFiles();
const facts = (bytes: Uint8Array) => contentFacts(bytes);

describe('properties that are computed from file content', () => {
  test('Holdfast classifies random content of at least 64 bytes as random', () => {
    for (const sizeBytes of [64, 100, 1_000, 4_096, 70_000, 1_000_000])
      for (let again = 0; again < 20; again++)
        expect(facts(noise(again, sizeBytes)).random).toBeGreaterThanOrEqual(75);
  });

  test.each([
    ['text', FILES['report.txt']],
    ['base64', Buffer.from(noise(3, 20_000).toString('base64'))],
    ['hexadecimal', Buffer.from(noise(3, 20_000).toString('hex'))],
    ['short text', Buffer.from('a line of text that is barely longer than sixty-four bytes are')],
    ['a counter', Uint8Array.from({ length: 70_000 }, (_, index) => index & 0xff)],
    ['floats', new Uint8Array(Float32Array.from({ length: 30_000 }, Math.random).buffer)],
  ])('Holdfast does not classify %s as random', (_, bytes) => {
    expect(facts(bytes ?? new Uint8Array()).random).toBe(0);
  });

  test.each([
    ['base64', (bytes: Buffer) => bytes.toString('base64')],
    ['base64url', (bytes: Buffer) => bytes.toString('base64url')],
    ['base64 text in lines', (bytes: Buffer) => inLines(bytes.toString('base64'))],
    ['hexadecimal', (bytes: Buffer) => bytes.toString('hex')],
    ['uppercase hexadecimal text', (bytes: Buffer) => inLines(bytes.toString('hex').toUpperCase())],
    ['ascii85', ascii85],
    ['an encrypted PGP message', (bytes: Buffer) => armored('PGP MESSAGE', bytes)],
    ['a file encrypted with age', (bytes: Buffer) => armored('AGE ENCRYPTED FILE', bytes)],
  ])(
    'Holdfast classifies %s of random bytes as encoded random data if it has at least 256 characters',
    (_, encode) => {
      for (const sizeBytes of [220, 500, 4_096, 70_000])
        for (let again = 0; again < 20; again++) {
          const bytes = Buffer.from(encode(noise(again, sizeBytes)));
          expect([again, sizeBytes, facts(bytes)]).toMatchObject([
            again,
            sizeBytes,
            { isEncoded: true },
          ]);
        }
    },
  );

  test.each<[string, Buffer | string]>([
    ['text', FILES['report.txt']],
    ['base64 of text', FILES['report.txt'].toString('base64')],
    ['hexadecimal of text', FILES['report.txt'].toString('hex')],
    ['an access token', noise(3, 32).toString('hex')],
    ['a certificate', armored('CERTIFICATE', noise(3, 3_000))],
    ['a detached signature', armored('PGP SIGNATURE', noise(3, 300))],
    ['a public key', `ssh-rsa ${noise(3, 500).toString('base64')} ann@laptop`],
    ['an email with an attachment', mail(noise(3, 50_000))],
    ['a JSON value', `{"data":"${noise(3, 50_000).toString('base64')}"}`],
    ['a data URI', `data:image/png;base64,${noise(3, 50_000).toString('base64')}`],
    ['decimal digits', noise(3, 9_000).toString('hex').replaceAll(/[a-f]/g, '')],
    ['letters of DNA', [...noise(3, 9_000)].map((byte) => 'ACGT'[byte % 4]).join('')],
    ['a repeated alphabet', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.repeat(200)],
    ['a list of UUIDs', uuids(3, 300)],
    ['a list of digests', digests(3, 100)],
    ['identifiers', 'getElementById;querySelectorAll;addEventListener;'.repeat(60)],
  ])('Holdfast does not classify %s as encoded random data', (_, content) => {
    expect(facts(Buffer.from(content)).isEncoded).toBeUndefined();
  });

  test('Holdfast classifies content of zero bytes neither as random nor as plain text', () => {
    expect(facts(new Uint8Array(100_000))).toEqual({ entropy: 0, random: 0, plain: 0 });
    expect(facts(new Uint8Array())).toEqual({ entropy: 0, random: 0, plain: 0 });
  });

  test('property: Holdfast computes the same properties of content for any division into chunks', () => {
    const bytes = Buffer.concat([FILES['report.txt'], noise(3, 200_000), FILES['photo.jpg']]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1 }), (sizes) => {
        const sampler = new ContentSampler(bytes.byteLength);
        for (let at = 0, turn = 0; at < bytes.byteLength; turn++) {
          const end = at + (sizes[turn % sizes.length] ?? 1);
          sampler.add(bytes.subarray(at, end));
          at = Math.min(end, bytes.byteLength);
        }
        expect(sampler.facts()).toEqual(facts(bytes));
      }),
      { numRuns: 30 },
    );
  });

  test('Holdfast recognizes the type of a file and whether the file is complete', () => {
    const types = Object.entries(FILES).map(([name, bytes]) => [name, typeText(facts(bytes))]);
    expect(Object.fromEntries(types)).toEqual({
      'report.txt': undefined,
      'photo.jpg': 'jpeg whole',
      'picture.png': 'png whole',
      'letter.docx': 'zip whole',
      'paper.pdf': 'pdf whole',
      'film.mp4': 'mp4',
      'data.sqlite': 'sqlite',
      'backup.gz': 'gzip',
    });
  });

  test('Holdfast recognizes each file type by each of its signatures', () => {
    for (const { name, magic, offset = 0 } of FILE_TYPES) {
      for (const text of magic) {
        const bytes = Buffer.alloc(512, name === 'mpeg-ts' ? 'G' : 0x20);
        bytes.write(text, offset, 'latin1');
        expect([name, facts(bytes).type]).toEqual([name, name]);
      }
    }
  });

  test('Holdfast reads stored content properties back unchanged', () => {
    for (const bytes of Object.values(FILES))
      expect(readFacts(writeFacts(facts(bytes)))).toEqual(facts(bytes));
    expect(readFacts(writeFacts(facts(FILES['photo.jpg'].subarray(0, 5_000))))).toMatchObject({
      isWhole: false,
    });
    const encoded = facts(Buffer.from(noise(3, 900).toString('base64')));
    expect([readFacts(writeFacts(encoded)), encoded.isEncoded]).toEqual([encoded, true]);
    expect(readFacts('something else')).toBeUndefined();
  });
});

function typeText({ type, isWhole }: ReturnType<typeof facts>): string | undefined {
  return isWhole === undefined ? type : `${type}${isWhole ? ' whole' : ' torn'}`;
}

/** Simulated attacks that encrypt a whole file or parts of it, some with a text encoding. */
const ATTACKS = {
  'the whole': encrypt,
  'the first 64 KiB': (bytes: Uint8Array) =>
    Buffer.concat([encrypt(bytes.subarray(0, 65_536)), bytes.subarray(65_536)]),
  'every other block': (bytes: Uint8Array) => {
    const mixed = Buffer.from(bytes);
    for (let at = 0; at < bytes.byteLength; at += 32_768)
      mixed.set(encrypt(bytes.subarray(at, at + 16_384)), at);
    return mixed;
  },
  'all but the header': (bytes: Uint8Array) =>
    Buffer.concat([bytes.subarray(0, 512), encrypt(bytes.subarray(512))]),
  'the whole, as base64': (bytes: Uint8Array) => Buffer.from(encrypt(bytes).toString('base64')),
  'the whole, in lines of base64': (bytes: Uint8Array) =>
    Buffer.from(inLines(encrypt(bytes).toString('base64'))),
  'the whole, as hexadecimal': (bytes: Uint8Array) => Buffer.from(encrypt(bytes).toString('hex')),
  'the whole, as ascii85': (bytes: Uint8Array) => Buffer.from(ascii85(encrypt(bytes))),
  'the whole, as a PGP message': (bytes: Uint8Array) =>
    Buffer.from(armored('PGP MESSAGE', encrypt(bytes))),
  'the first 64 KiB, as base64': (bytes: Uint8Array) =>
    Buffer.concat([
      Buffer.from(encrypt(bytes.subarray(0, 65_536)).toString('base64')),
      bytes.subarray(65_536),
    ]),
  'the whole, as base64 in JSON': (bytes: Uint8Array) =>
    Buffer.from(JSON.stringify({ data: encrypt(bytes).toString('base64') })),
} as const;

function encrypt(bytes: Uint8Array): Buffer {
  return createCipheriv('aes-256-ctr', noise(1, 32), noise(2, 16)).update(bytes);
}

describe('signs of encryption after a simulated attack', () => {
  /**
   * Lists the signs of encryption for each attack on each file. An attack with an empty list is not
   * detected.
   */
  test.each([
    ['report.txt', 'the whole', ['entropy']],
    ['report.txt', 'the first 64 KiB', ['entropy']],
    ['report.txt', 'every other block', ['entropy']],
    ['report.txt', 'all but the header', ['entropy']],
    ['report.txt', 'the whole, as base64', ['encoded']],
    ['report.txt', 'the whole, in lines of base64', ['encoded']],
    ['report.txt', 'the whole, as hexadecimal', ['encoded']],
    ['report.txt', 'the whole, as ascii85', ['encoded']],
    ['report.txt', 'the whole, as a PGP message', ['encoded']],
    ['report.txt', 'the first 64 KiB, as base64', []],
    ['report.txt', 'the whole, as base64 in JSON', []],
    ['photo.jpg', 'the whole, as base64', ['header']],
    ['paper.pdf', 'the whole, as base64', ['header', 'encoded']],
    ['letter.docx', 'the whole, as a PGP message', ['header']],
    ['data.sqlite', 'the whole, as hexadecimal', ['header', 'encoded']],
    ['photo.jpg', 'the whole', ['header']],
    ['photo.jpg', 'all but the header', ['ending']],
    ['picture.png', 'the whole', ['header']],
    ['picture.png', 'all but the header', ['ending']],
    ['letter.docx', 'the whole', ['header']],
    ['letter.docx', 'all but the header', ['ending']],
    ['paper.pdf', 'the whole', ['header', 'entropy']],
    ['paper.pdf', 'all but the header', ['ending']],
    ['data.sqlite', 'the whole', ['header', 'entropy']],
    ['data.sqlite', 'every other block', ['header', 'entropy']],
    ['data.sqlite', 'all but the header', ['entropy']],
    ['film.mp4', 'the whole', ['header']],
    ['film.mp4', 'all but the header', []],
    ['backup.gz', 'the whole', ['header']],
    ['backup.gz', 'all but the header', []],
  ] as const)(
    'Holdfast detects these signs in %s if an attack encrypts %s: %j',
    (name, attack, signs) => {
      const before = FILES[name];
      expect(anomaliesOf(name, facts(before), facts(ATTACKS[attack](before)))).toEqual(signs);
    },
  );

  test('Holdfast judges a changed file by its name if no properties of its previous content are stored', () => {
    for (const name of ['report.txt', 'photo.jpg', 'letter.docx'] as const)
      expect(anomaliesOf(name, undefined, facts(encrypt(FILES[name])))).not.toEqual([]);
    expect(anomaliesOf('unknown', undefined, facts(noise(3, 5_000)))).toEqual([]);
    expect(anomaliesOf('photo.jpg', undefined, facts(FILES['photo.jpg']))).toEqual([]);
  });

  const text = FILES['report.txt'];
  test.each([
    ['an edited text file', 'a.txt', text, Buffer.concat([text, text])],
    ['a log compressed under the same name', 'a.log', text, gzipSync(text)],
    ['an edited photo', 'a.jpg', FILES['photo.jpg'], sampleFiles(2)['photo.jpg']],
    ['an edited document', 'a.docx', FILES['letter.docx'], sampleFiles(3)['letter.docx']],
    ['a photo converted to another format', 'a.jpg', FILES['photo.jpg'], FILES['picture.png']],
    ['a database after a write', 'a.db', FILES['data.sqlite'], sampleFiles(4)['data.sqlite']],
    ['an archive that replaces an archive', 'a.gz', FILES['backup.gz'], gzipSync(noise(3, 50_000))],
    [
      'an encrypted vault with random content before and after the change',
      'a.vault',
      noise(3, 80_000),
      noise(3, 80_000),
    ],
    ['a download into preallocated space', 'a.iso', new Uint8Array(500_000), noise(3, 500_000)],
    ['a large file that replaces its LFS pointer', 'a.bin', lfsPointer(), noise(3, 50_000)],
    [
      'files compressed without a header',
      'a.br',
      brotliCompressSync(text),
      brotliCompressSync(text),
    ],
    ['an object of a git repository', 'a', deflateSync(text), deflateSync(noise(3, 9_000))],
    ['an email that received an attachment', 'a.eml', text, Buffer.from(mail(noise(3, 90_000)))],
    [
      'a mailbox that grew',
      'a.mbox',
      text,
      Buffer.concat([text, Buffer.from(mail(noise(3, 900_000)))]),
    ],
    [
      'a certificate that replaces notes',
      'a',
      text,
      Buffer.from(armored('CERTIFICATE', noise(3, 9_000))),
    ],
    ['a renewed certificate', 'a.pem', pem(3), pem(4)],
    ['a script with its source map', 'a.js', text, Buffer.from(`${minified()}${sourceMap()}`)],
    ['a drawing with an embedded photo', 'a.svg', text, svg(noise(3, 90_000))],
    ['a notebook with pictures', 'a.ipynb', text, Buffer.from(JSON.stringify({ png: base64(3) }))],
    ['a rewritten base64 file', 'a.b64', Buffer.from(base64(3)), Buffer.from(base64(4))],
    ['a list of digests that replaces notes', 'a', text, Buffer.from(digests(3, 900))],
    ['an emptied file', 'a.txt', text, new Uint8Array()],
    ['a truncated photo', 'a.jpg', FILES['photo.jpg'], Buffer.alloc(90_000)],
  ])('Holdfast detects no sign of encryption in %s', (_, path, before, after) => {
    expect(anomaliesOf(path, facts(before), facts(after))).toEqual([]);
  });

  test('Holdfast classifies a new file as encrypted if its content is random and its type is unknown', () => {
    expect(looksEncrypted(facts(encrypt(FILES['photo.jpg'])))).toBe(true);
    for (const bytes of Object.values(FILES)) expect(looksEncrypted(facts(bytes))).toBe(false);
  });
});

function lfsPointer(): Buffer {
  return Buffer.from(
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0',
  );
}

describe('names of encrypted files', () => {
  test('Holdfast derives the possible original names of a file to which malware added a suffix', () => {
    expect(stemsOf('a.b/c.txt.locked')).toEqual(['a.b/c.txt.locked', 'a.b/c.txt']);
    expect(stemsOf('a.b/c')).toEqual(['a.b/c']);
    expect(suffixOf('a.b/c.txt.locked')).toBe('.locked');
    expect(suffixOf('a.b/c')).toBe('');
  });
});

describe('the number of suspicious changes that counts as an attack', () => {
  const MINUTE = 60_000;
  const every = (minutes: number, count: number) =>
    Array.from({ length: count }, (_, index) => index * minutes * MINUTE);

  test.each([
    ['eight changes at once', every(0, 8), true],
    ['seven changes at once', every(0, 7), false],
    ['eight changes, one per minute', every(1, 8), true],
    ['seven changes, one every five minutes', every(5, 7), false],
    ['24 changes, one every half hour', every(30, 24), true],
    ['23 changes, one every half hour', every(30, 23), false],
    ['100 changes, one every two hours', every(120, 100), false],
  ])(
    'Holdfast decides whether suspicious changes at these times are an attack: %s: %s',
    (_, times, expected) => {
      expect(isAttack(times, 1_000, times.at(-1) ?? 0)).toBe(expected);
    },
  );

  test('Holdfast needs fewer suspicious changes to report an attack in a job with few files', () => {
    expect([3, 12, 20, 32, 1_000].map((files) => anomalyLimit(files, 8))).toEqual([3, 3, 5, 8, 8]);
  });
});
