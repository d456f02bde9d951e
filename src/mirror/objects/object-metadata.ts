/** Converts file attributes to object metadata and back, and file paths to keys and back. */

import type { BigIntStats } from 'node:fs';

import { defined } from '../../base/defined.ts';
import { mediaTypeOf } from '../../base/media-type.ts';
import type { ObjectAttributes } from '../../object-store/object-store.ts';
import type { ExtraAttributes } from '../local/extra-attributes.ts';
import { parseXattrs, type Xattrs } from '../local/xattrs.ts';
import { RESERVED_FOLDER } from '../model/local-path.ts';
import type { EntryKind, LocalEntry, Problem } from '../model/types.ts';

export interface StoredAttributes {
  /** Kind of the entry. Objects of other tools lack this metadata and count as `file`. */
  readonly kind: EntryKind;
  /** Permission bits of the file's mode. */
  readonly mode?: number;
  /** Modification time in nanoseconds since 1970. */
  readonly mtimeNs?: bigint;
  readonly uid?: number;
  readonly gid?: number;
  /** SHA-256 of the content or of the symbolic link's target, in lower-case hex. */
  readonly sha256?: string;
  /** Journal id of the put that created this version. */
  readonly journalId?: string;
  /** When the put was prepared, in milliseconds since 1970 by the service's clock. */
  readonly uploadedAt?: number;
  /** Hard-link number. Files with equal numbers and equal content were hard links to one file. */
  readonly link?: number;
  readonly isSparse?: true;
  /** Set if the file changed while it was read. */
  readonly isInconsistent?: true;
  /** Extended attributes in the format that `parseXattrs` reads. */
  readonly xattrs?: string;
  /** Digest in the key of the object that stores the extended attributes, if they are too large for metadata. */
  readonly xattrsElsewhere?: string;
}

export interface EncodableAttributes {
  readonly entry: LocalEntry;
  readonly mtimeNs: bigint;
  readonly sha256: string;
  /** Globally unique journal id of the put. */
  readonly journalId: string;
  /** Upload time in milliseconds since 1970, by the service's clock. */
  readonly uploadedAt: number;
  readonly extras?: ExtraAttributes;
}

/** Maximum key length in bytes of UTF-8 (specification, "Put object"). */
export const MAX_KEY_BYTES = 1024;
const NS_PER_S = 1_000_000_000n;
const MS_PER_S = 1_000;

export function encodeAttributes(attributes: EncodableAttributes): Record<string, string> {
  const { entry, mtimeNs, sha256, journalId, uploadedAt, extras } = attributes;
  return {
    'holdfast-type': entry.kind,
    ...encodeOwnership(entry),
    'holdfast-mtime': formatSeconds(mtimeNs),
    'holdfast-sha256': sha256,
    'holdfast-journal': journalId,
    'holdfast-uploaded': formatMilliseconds(uploadedAt),
    ...(entry.link !== undefined && { 'holdfast-link': String(entry.link) }),
    ...(extras && encodeExtras(extras)),
  };
}

export function encodeOwnership({
  mode,
  uid,
  gid,
}: Pick<LocalEntry, 'mode' | 'uid' | 'gid'>): Record<string, string> {
  return {
    'holdfast-mode': formatMode(mode),
    'holdfast-uid': String(uid),
    'holdfast-gid': String(gid),
  };
}

/** Returns the metadata for a file's mode and modification time. */
export function encodeModeAndTime({
  mode,
  mtimeNs,
}: Pick<BigIntStats, 'mode' | 'mtimeNs'>): Record<string, string> {
  return {
    'holdfast-mode': formatMode(Number(mode & 0o7777n)),
    'holdfast-mtime': formatSeconds(mtimeNs),
  };
}

export function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function encodeExtras({
  xattrs,
  isSparse,
  isInconsistent,
}: ExtraAttributes): Record<string, string> {
  return {
    ...(isSparse && { 'holdfast-sparse': 'true' }),
    ...(isInconsistent && { 'holdfast-consistent': 'false' }),
    ...(xattrs &&
      (fitsMetadata(xattrs)
        ? { 'holdfast-xattrs': inMetadata(xattrs) }
        : { 'holdfast-attributes': xattrs.digest })),
  };
}

/**
 * Maximum size of extended attributes in metadata. S3 limits user metadata to 2 KB per object, and Holdfast's other
 * metadata needs up to 500 bytes.
 */
const MAX_XATTR_BYTES = 1536;

export function fitsMetadata(xattrs: Xattrs): boolean {
  return inMetadata(xattrs).length <= MAX_XATTR_BYTES;
}

/** Returns the key of the object that stores these extended attributes, relative to the prefix. */
export function attributesKey(digest: string): string {
  return `${RESERVED_FOLDER}/attributes/${digest}`;
}

function inMetadata({ text }: Xattrs): string {
  return Buffer.from(text).toString('base64');
}

/**
 * Returns the headers and metadata of an entry's object: the media type that its filename implies, and its file
 * attributes.
 */
export function objectAttributes(attributes: EncodableAttributes): ObjectAttributes {
  const { path, kind } = attributes.entry;
  const contentType = kind === 'file' ? mediaTypeOf(path) : undefined;
  return defined({ contentType, metadata: encodeAttributes(attributes) });
}

/** Returns the metadata for a copy. The copy gets its own journal id and upload time. */
export function withUpload(
  metadata: Readonly<Record<string, string>> = {},
  { journalId, uploadedAt }: Pick<StoredAttributes, 'journalId'> & { readonly uploadedAt: number },
): Record<string, string> {
  return {
    ...metadata,
    ...(journalId !== undefined && { 'holdfast-journal': journalId }),
    'holdfast-uploaded': formatMilliseconds(uploadedAt),
  };
}

/** Parses well-formed metadata fields. Ignores all other fields, because another tool may have written them. */
export function decodeAttributes(
  metadata: Readonly<Record<string, string>> = {},
): StoredAttributes {
  const kind = metadata['holdfast-type'];
  const mode = matching(metadata['holdfast-mode'], /^0?[0-7]{1,4}$/);
  const mtime = matching(metadata['holdfast-mtime'], /^-?\d{1,12}\.\d{9}$/);
  const uid = matching(metadata['holdfast-uid'], /^\d{1,10}$/);
  const gid = matching(metadata['holdfast-gid'], /^\d{1,10}$/);
  const sha256 = matching(metadata['holdfast-sha256'], /^[0-9a-f]{64}$/);
  const journalId = metadata['holdfast-journal'];
  const uploaded = matching(metadata['holdfast-uploaded'], /^\d{1,12}\.\d{3}$/);
  const link = matching(metadata['holdfast-link'], /^\d{1,20}$/);
  const xattrs = xattrsIn(metadata['holdfast-xattrs']);
  const xattrsElsewhere = matching(metadata['holdfast-attributes'], /^[0-9a-f]{64}$/);
  return {
    kind: kind === 'directory' || kind === 'symlink' ? kind : 'file',
    ...(mode !== undefined && { mode: Number.parseInt(mode, 8) }),
    ...(mtime !== undefined && { mtimeNs: parseSeconds(mtime) }),
    ...(uid !== undefined && { uid: Number(uid) }),
    ...(gid !== undefined && { gid: Number(gid) }),
    ...(sha256 !== undefined && { sha256 }),
    ...(journalId !== undefined && { journalId }),
    ...(uploaded !== undefined && { uploadedAt: parseMilliseconds(uploaded) }),
    ...(link !== undefined && { link: Number(link) }),
    ...(metadata['holdfast-sparse'] === 'true' && { isSparse: true }),
    ...(metadata['holdfast-consistent'] === 'false' && { isInconsistent: true }),
    ...(xattrs !== undefined && { xattrs }),
    ...(xattrsElsewhere !== undefined && { xattrsElsewhere }),
  };
}

/** Decodes extended attributes from metadata. Returns undefined if they are malformed. */
function xattrsIn(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = Buffer.from(value, 'base64').toString();
  try {
    parseXattrs(text);
    return text;
  } catch {
    return undefined;
  }
}

/** Returns an entry's key. A folder's key ends in `/`. `prefix` is empty or ends in `/`. */
export function keyOf(entry: Pick<LocalEntry, 'path' | 'kind'>, prefix: string): string {
  return prefix + entry.path + (entry.kind === 'directory' ? '/' : '');
}

/** Returns a key's path below the root, without a folder's trailing `/`; undefined for a key outside the prefix. */
export function pathOf(key: string, prefix: string): string | undefined {
  if (!key.startsWith(prefix) || key === prefix) return undefined;
  return key.endsWith('/') ? key.slice(prefix.length, -1) : key.slice(prefix.length);
}

/** Returns the reason why an entry's path cannot become a key; undefined if it can. */
export function keyProblem(entry: LocalEntry, prefix: string): Problem | undefined {
  const bytes = Buffer.byteLength(keyOf(entry, prefix));
  if (bytes <= MAX_KEY_BYTES) return undefined;
  return {
    path: entry.path,
    code: 'key-too-long',
    message: `cannot back up ${entry.path}: its key has ${bytes} bytes, but the limit is ${MAX_KEY_BYTES}; shorten the names`,
  };
}

function matching(text: string | undefined, pattern: RegExp): string | undefined {
  return text !== undefined && pattern.test(text) ? text : undefined;
}

/** Formats nanoseconds as seconds in the format of `touch -d @`: `-1n` becomes `-0.000000001`. */
function formatSeconds(ns: bigint): string {
  const magnitude = ns < 0n ? -ns : ns;
  const fraction = (magnitude % NS_PER_S).toString().padStart(9, '0');
  return `${ns < 0n ? '-' : ''}${magnitude / NS_PER_S}.${fraction}`;
}

/** Formats milliseconds as seconds with three decimals. */
function formatMilliseconds(ms: number): string {
  const whole = Math.floor(ms / MS_PER_S);
  return `${whole}.${String(Math.floor(ms) - whole * MS_PER_S).padStart(3, '0')}`;
}

function parseMilliseconds(text: string): number {
  return Number(text.replace('.', ''));
}

function parseSeconds(text: string): bigint {
  const [whole = '0', fraction = '0'] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole) * NS_PER_S + BigInt(fraction);
  return text.startsWith('-') ? -magnitude : magnitude;
}
