/**
 * Reads and writes checksums in headers and XML documents. Each algorithm has its own header and XML element (semantics
 * B.11.4, B.13).
 */

import {
  type Checksum,
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type ChecksumType,
  type ObjectChecksum,
} from '../../object-store/checksum.ts';
import type { UploadChecksum } from '../../object-store/multipart.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { type Codec, oneOf, text, words } from '../codecs.ts';
import { type Draft, vendor, type MessageReader, type Part } from '../message.ts';
import { writeElement, type XmlElement } from '../xml/element.ts';
import { malformedXml } from '../xml/parse.ts';
import { type Field, leaf, optional } from '../xml/schema.ts';

/** A checksum algorithm. Written in upper case, and read in any case. */
export const checksumAlgorithm: Codec<ChecksumAlgorithm> = {
  encode: (algorithm) => algorithm,
  decode: (word) => CHECKSUM_ALGORITHMS.find((each) => each === word.toUpperCase()),
};

export const checksumType: Codec<ChecksumType> = words('COMPOSITE', 'FULL_OBJECT');

const SUFFIXES = CHECKSUM_ALGORITHMS.map(
  (each) => [each, `checksum-${each.toLowerCase()}`] as const,
);

/**
 * Returns the checksum from a header such as `checksum-crc32c`, or undefined if the request has none. Throws
 * InvalidRequest if there is more than one checksum.
 */
function readChecksum(reader: MessageReader): Checksum | undefined {
  const found: Checksum[] = [];
  for (const [algorithm, suffix] of SUFFIXES) {
    const value = reader.vendor(suffix);
    if (value !== undefined) found.push({ algorithm, value });
  }
  if (found.length <= 1) return found[0];
  throw new StorageError(
    'InvalidRequest',
    'read checksums: the request must have only one checksum',
  );
}

/** The checksum header without its type header. */
export const checksum: Part<{ readonly checksum?: Checksum | undefined }> = {
  encode: (message, writer) => {
    if (message.checksum === undefined) return;
    const { algorithm, value } = message.checksum;
    writer.vendor(`checksum-${algorithm.toLowerCase()}`, value);
  },
  decode: (reader, into) => {
    const found = readChecksum(reader);
    if (found !== undefined) into.checksum = found;
  },
};

/** The checksum header and its type header. If the type header is absent, the type is derived from the value. */
export const objectChecksum: Part<{ readonly checksum?: ObjectChecksum | undefined }> = {
  encode: (message, writer) => {
    if (message.checksum === undefined) return;
    checksum.encode(message, writer);
    writer.vendor('checksum-type', message.checksum.type);
  },
  decode: (reader, into) => {
    const found = readChecksum(reader);
    if (found === undefined) return;
    const type = checksumType.decode(reader.vendor('checksum-type') ?? '') ?? typeOf(found);
    into.checksum = { ...found, type };
  },
};

function typeOf({ value }: Checksum): ChecksumType {
  return value.includes('-') ? 'COMPOSITE' : 'FULL_OBJECT';
}

/**
 * The header that specifies a checksum algorithm. Decoding throws InvalidRequest for an unknown algorithm, because the
 * bytes would otherwise not be verified.
 */
export const checksumAlgorithmHeader: Part<Pick<UploadChecksum, 'checksumAlgorithm'>> = {
  ...vendor('checksumAlgorithm', 'checksum-algorithm', checksumAlgorithm),
  decode: (reader, into: Draft<UploadChecksum>) => {
    const word = reader.vendor('checksum-algorithm');
    if (word === undefined) return;
    into.checksumAlgorithm = checksumAlgorithm.decode(word);
    if (into.checksumAlgorithm === undefined) throw unknownWord('algorithm', CHECKSUM_ALGORITHMS);
  },
};

export const checksumTypeHeader: Part<Pick<UploadChecksum, 'checksumType'>> = {
  ...vendor('checksumType', 'checksum-type', checksumType),
  decode: (reader, into: Draft<UploadChecksum>) => {
    const word = reader.vendor('checksum-type');
    if (word === undefined) return;
    into.checksumType = checksumType.decode(word);
    if (into.checksumType === undefined) throw unknownWord('type', ['COMPOSITE', 'FULL_OBJECT']);
  },
};

function unknownWord(what: string, known: readonly string[]): StorageError {
  return new StorageError(
    'InvalidRequest',
    `read checksum-${what}: Checksum ${what} provided is unsupported. Please try again with any of the valid types: [${known.join(', ')}]`,
  );
}

const ELEMENTS: ReadonlyMap<string, ChecksumAlgorithm> = new Map(
  CHECKSUM_ALGORITHMS.map((each) => [`Checksum${each}`, each]),
);

/**
 * The XML element of a checksum, such as `<ChecksumCRC32C>value</ChecksumCRC32C>`. Parsing throws MalformedXML if there
 * is more than one checksum.
 */
export const checksumElement: Field<Checksum> = {
  names: [...ELEMENTS.keys()],
  write: (value) =>
    value === undefined
      ? ''
      : writeElement(`Checksum${value.algorithm}`, leaf(text).write(value.value)),
  parse: (found) => {
    if (found.length > 1) throw malformedXml('an element must not contain more than one checksum');
    const [only] = found;
    const algorithm = ELEMENTS.get(only?.name ?? '');
    return only && algorithm && { algorithm, value: leaf(text).parse(only.content) };
  },
};

const typeElement = optional('ChecksumType', leaf(checksumType));

/** A checksum element followed by a `<ChecksumType>` element. */
export const objectChecksumElements: Field<ObjectChecksum> = {
  names: [...checksumElement.names, ...typeElement.names],
  write: (value) => checksumElement.write(value) + typeElement.write(value?.type),
  parse: (found) => {
    const isType = ({ name }: XmlElement) => name === 'ChecksumType';
    const value = checksumElement.parse(found.filter((each) => !isType(each)));
    const type = typeElement.parse(found.filter(isType));
    return value && { ...value, type: type ?? typeOf(value) };
  },
};

/** The XML elements in listings that contain the checksum algorithm and checksum type of a multipart upload. */
export const uploadChecksumElements = {
  checksumAlgorithm: optional('ChecksumAlgorithm', leaf(checksumAlgorithm)),
  checksumType: optional('ChecksumType', leaf(checksumType)),
};

/** The header of a read that requests the checksum in the response. */
export const checksumMode: Part<{ readonly withChecksum?: boolean | undefined }> = vendor(
  'withChecksum',
  'checksum-mode',
  oneOf<boolean>([[true, 'ENABLED']]),
  { lenient: true },
);
