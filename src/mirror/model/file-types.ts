/**
 * Recognises file types by their first bytes, and some also by their last bytes, because encryption changes both.
 * Encrypted formats (`Salted__`, age, PGP) are omitted on purpose: their header does not show that the content is
 * readable.
 */

import { once } from '../../base/once.ts';
import { ownMember } from '../../base/own-member.ts';

export interface FileType {
  readonly name: string;
  /** Alternative byte sequences, as latin1, that may be found at `offset` (default 0). */
  readonly magic: readonly string[];
  readonly offset?: number;
  /** Text that must occur in the last `within` bytes, for formats with a fixed ending. */
  readonly ending?: { readonly text: string; readonly within: number };
}

export const FILE_TYPES: readonly FileType[] = [
  { name: 'jpeg', magic: ['\xFF\xD8\xFF'], ending: { text: '\xFF\xD9', within: 64 } },
  { name: 'png', magic: ['\x89PNG\r\n\x1A\n'], ending: { text: 'IEND', within: 16 } },
  { name: 'gif', magic: ['GIF87a', 'GIF89a'], ending: { text: '\x00;', within: 4 } },
  { name: 'pdf', magic: ['%PDF-'], ending: { text: '%%EOF', within: 1024 } },
  // Office documents, jar and epub files are ZIP files too. A comment may follow the central directory at the end of
  // the file.
  {
    name: 'zip',
    magic: ['PK\x03\x04', 'PK\x05\x06'],
    ending: { text: 'PK\x05\x06', within: 1024 },
  },
  { name: 'xz', magic: ['\xFD7zXZ\x00'], ending: { text: 'YZ', within: 2 } },
  { name: 'parquet', magic: ['PAR1'], ending: { text: 'PAR1', within: 4 } },
  { name: 'gzip', magic: ['\x1F\x8B\x08'] },
  { name: 'bzip2', magic: ['BZh'] },
  { name: 'zstd', magic: ['\x28\xB5\x2F\xFD'] },
  { name: 'lz4', magic: ['\x04\x22\x4D\x18'] },
  { name: 'zlib', magic: ['\x78\x01', '\x78\x5E', '\x78\x9C', '\x78\xDA'] },
  { name: '7z', magic: ['7z\xBC\xAF\x27\x1C'] },
  { name: 'rar', magic: ['Rar!\x1A\x07'] },
  { name: 'ole', magic: ['\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'] },
  { name: 'mp4', magic: ['ftyp', 'moov', 'mdat', 'wide', 'free'], offset: 4 },
  { name: 'matroska', magic: ['\x1A\x45\xDF\xA3'] },
  { name: 'mpeg', magic: ['\x00\x00\x01\xBA', '\x00\x00\x01\xB3', '\x00\x00\x01\x67'] },
  { name: 'h264', magic: ['\x00\x00\x00\x01\x67', '\x00\x00\x00\x01\x09', '\x00\x00\x00\x01\x40'] },
  { name: 'riff', magic: ['RIFF', 'RF64'] },
  { name: 'ogg', magic: ['OggS'] },
  { name: 'flac', magic: ['fLaC'] },
  { name: 'mp3', magic: ['ID3', '\xFF\xFB', '\xFF\xF3', '\xFF\xF2'] },
  { name: 'aac', magic: ['\xFF\xF1', '\xFF\xF9'] },
  { name: 'flv', magic: ['FLV\x01'] },
  { name: 'asf', magic: ['\x30\x26\xB2\x75\x8E\x66\xCF\x11'] },
  { name: 'tiff', magic: ['II*\x00', 'MM\x00*', 'IIRO', 'IIU\x00'] },
  { name: 'camera', magic: ['FUJIFILMCCD-RAW', '\x00MRM', 'FOVb'] },
  { name: 'jpeg2000', magic: ['\x00\x00\x00\x0CjP  ', '\xFFO\xFFQ'] },
  { name: 'jpegxl', magic: ['\x00\x00\x00\x0CJXL ', '\xFF\x0A'] },
  { name: 'psd', magic: ['8BPS'] },
  { name: 'xcf', magic: ['gimp xcf'] },
  { name: 'blend', magic: ['BLENDER'] },
  { name: 'dwg', magic: ['AC10'] },
  { name: 'postscript', magic: ['%!PS'] },
  { name: 'rtf', magic: ['{\\rtf'] },
  // Scripts with an embedded archive, such as installers and executable jars, begin with `#!` too.
  { name: 'script', magic: ['#!'] },
  { name: 'sqlite', magic: ['SQLite format 3\x00'] },
  { name: 'access', magic: ['\x00\x01\x00\x00Standard '] },
  { name: 'outlook', magic: ['!BDN'] },
  { name: 'hdf5', magic: ['\x89HDF\r\n\x1A\n'] },
  { name: 'numpy', magic: ['\x93NUMPY'] },
  { name: 'git pack', magic: ['PACK\x00\x00\x00'] },
  { name: 'git index', magic: ['DIRC'] },
  { name: 'git lfs pointer', magic: ['version https://git-lfs'] },
  { name: 'elf', magic: ['\x7FELF'] },
  { name: 'pe', magic: ['MZ'] },
  { name: 'mach-o', magic: ['\xCF\xFA\xED\xFE', '\xCE\xFA\xED\xFE', '\xCA\xFE\xBA\xBE'] },
  { name: 'wasm', magic: ['\x00asm'] },
  { name: 'ar', magic: ['!<arch>\n'] },
  { name: 'rpm', magic: ['\xED\xAB\xEE\xDB'] },
  { name: 'font', magic: ['wOFF', 'wOF2', '\x00\x01\x00\x00\x00', 'OTTO', 'ttcf'] },
  { name: 'qcow2', magic: ['QFI\xFB'] },
  { name: 'vmdk', magic: ['KDMV'] },
  { name: 'vhdx', magic: ['vhdxfile', 'conectix'] },
  { name: 'pcap', magic: ['\xD4\xC3\xB2\xA1', '\x0A\x0D\x0D\x0A'] },
  { name: 'keepass', magic: ['\x03\xD9\xA2\x9A'] },
  { name: 'luks', magic: ['LUKS\xBA\xBE'] },
  { name: 'tar', magic: ['ustar'], offset: 257 },
  { name: 'mpeg-ts', magic: ['G'], offset: 188 },
];

/**
 * Candidate types by first byte. The index keeps the check of each file fast, because most first bytes have few
 * candidates.
 */
const typesByFirstByte = once((): readonly (readonly FileType[])[] =>
  Array.from({ length: 256 }, (_, first) => FILE_TYPES.filter((type) => mayBegin(type, first))),
);

/** Returns the file type that the first block shows; undefined if the type is unknown. */
export function typeOf(head: Uint8Array): FileType | undefined {
  const first = head[0];
  if (first === undefined) return undefined;
  for (const type of typesByFirstByte()[first] ?? []) if (isOf(type, head)) return type;
  return undefined;
}

function mayBegin({ magic, offset = 0 }: FileType, first: number): boolean {
  return offset > 0 || magic.some((text) => text.charCodeAt(0) === first);
}

export function endsAs({ ending }: FileType, tail: Uint8Array): boolean | undefined {
  if (!ending) return undefined;
  return latin1(tail.subarray(-ending.within)).includes(ending.text);
}

function isOf({ name, magic, offset = 0 }: FileType, head: Uint8Array): boolean {
  if (name === 'mpeg-ts' && head[0] !== MPEG_TS_SYNC) return false;
  for (const text of magic) if (startsAt(head, text, offset)) return true;
  return false;
}

/** First byte of each 188-byte MPEG-TS packet. */
const MPEG_TS_SYNC = 0x47;

function startsAt(head: Uint8Array, text: string, offset: number): boolean {
  if (head.byteLength < offset + text.length) return false;
  for (let index = 0; index < text.length; index++)
    if (head[offset + index] !== text.charCodeAt(index)) return false;
  return true;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The content that a filename extension implies. */
export type Expected = { readonly type: string } | 'plain';

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  ...named('jpeg', 'jpg jpeg jpe'),
  ...named('zip', 'zip docx xlsx pptx odt ods odp epub jar'),
  ...named('ole', 'doc xls ppt msg'),
  ...named('tiff', 'tif tiff nef dng arw cr2'),
  ...named('mp4', 'mp4 m4v m4a mov heic'),
  ...named('riff', 'wav avi webp'),
  ...named('sqlite', 'sqlite sqlite3'),
  ...named('gzip', 'gz tgz'),
  ...named('matroska', 'mkv webm'),
  ...Object.fromEntries(
    ['png', 'gif', 'pdf', 'xz', 'flac', 'psd', 'rtf'].map((each) => [each, each]),
  ),
};

const PLAIN_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'txt md rst csv tsv json xml html htm css js mjs ts tsx jsx svg yaml yml toml ini cfg conf log tex bib eml ics vcf ' +
    'c h cc cpp hpp java kt py rb go rs php pl sh bat ps1 sql swift cs vb r m lua srt gpx kml'
  ).split(' '),
);

function named(type: string, extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, type]));
}

/**
 * Returns the content that the filename extension implies, for a file whose content was never measured. Undefined for
 * an unknown extension.
 */
export function expectedOf(path: string): Expected | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (PLAIN_EXTENSIONS.has(extension)) return 'plain';
  const type = ownMember(TYPE_BY_EXTENSION, extension);
  return type === undefined ? undefined : { type };
}

export interface ContentFacts {
  /** Shannon entropy of the sample in hundredths of a bit per byte, from 0 to 800. */
  readonly entropy: number;
  /** Percentage of the sampled blocks that look like random bytes. */
  readonly random: number;
  /** Percentage of the sampled blocks that look neither like random bytes nor like padding (one repeated byte). */
  readonly plain: number;
  /**
   * Set if the whole sample is printable text with characters as evenly distributed as in base64, hex or ascii85 of
   * random bytes.
   */
  readonly isEncoded?: true;
  /** Name of the file type that the first bytes show; absent if unknown. */
  readonly type?: string;
  /** Whether the content ends as its file type requires; absent if the type has no fixed ending. */
  readonly isWhole?: boolean;
}
