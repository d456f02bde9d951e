/**
 * Creates realistic user files in memory. Their headers, trailers and byte statistics are those of
 * real files.
 */

import { createCipheriv, createHash } from 'node:crypto';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** Returns sample files of about 100 kB each. The same seed gives the same files. */
export function sampleFiles(seed = 1) {
  const text = textOf(seed, 120_000);
  return {
    'report.txt': text,
    'photo.jpg': photo(seed),
    'picture.png': picture(seed),
    'letter.docx': archive(seed),
    'paper.pdf': Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      text.subarray(0, 60_000),
      Buffer.from('\ntrailer\n%%EOF\n'),
    ]),
    'film.mp4': Buffer.concat([
      Buffer.from(
        '\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41\0\0\0\x08free\0\0\0\0mdat',
        'latin1',
      ),
      noise(seed, 150_000),
    ]),
    'data.sqlite': database(seed),
    'backup.gz': gzipSync(noise(seed + 7, 90_000)),
  } as const;
}

const WORDS =
  'the of and report quarter sales figure meeting letter house garden Müller 2026 3,141 total'.split(
    ' ',
  );

export function textOf(seed: number, sizeBytes: number): Buffer {
  const choices = noise(seed + 101, Math.ceil(sizeBytes / 4));
  const words = [...choices].map((choice) => WORDS[choice % WORDS.length]);
  return Buffer.from(words.join(' ')).subarray(0, sizeBytes);
}

/** Returns bytes that no statistical test can distinguish from random bytes. */
export function noise(seed: number, sizeBytes: number): Buffer {
  const key = createHash('sha256').update(`${seed}`).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes));
}

/** Returns a JPEG file. In its image data, a zero byte follows each 0xFF byte, as JPEG requires. */
export function photo(seed: number): Buffer {
  const coded: number[] = [];
  for (const byte of noise(seed + 13, 100_000)) coded.push(...(byte === 0xff ? [byte, 0] : [byte]));
  return Buffer.concat([
    Buffer.from('\xFF\xD8\xFF\xE1\x12\x34Exif\0\0', 'latin1'),
    Buffer.from(coded),
    Buffer.from('\xFF\xD9', 'latin1'),
  ]);
}

function picture(seed: number): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n\0\0\0\rIHDR', 'latin1'),
    deflateSync(noise(seed + 29, 70_000)),
    Buffer.from('\0\0\0\0IEND\xAEB`\x82', 'latin1'),
  ]);
}

function archive(seed: number): Buffer {
  return Buffer.concat([
    Buffer.from('PK\x03\x04\x14\0\x08\0\x08\0word/document.xml', 'latin1'),
    deflateRawSync(textOf(seed + 31, 400_000)),
    Buffer.from('PK\x01\x02word/document.xmlPK\x05\x06\0\0\0\0\x01\0\x01\0', 'latin1'),
  ]);
}

/** Returns a database file that has full pages and unused pages. */
function database(seed: number): Buffer {
  const pages = Array.from({ length: 30 }, (_, page) => {
    const rows = textOf(seed * 100 + page, 3_000);
    return Buffer.concat([Buffer.from([13, 0, 0, 0, page]), Buffer.alloc(1_091), rows]);
  });
  pages[0]?.write('SQLite format 3\0', 'latin1');
  return Buffer.concat(pages);
}
