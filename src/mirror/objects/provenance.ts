/**
 * Recognises versions that the job itself uploaded: each upload carries a keyed digest (HMAC) of its
 * metadata. A client without the job's key can copy the digest, but it is invalid for another content, key or
 * attributes.
 */

import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import type { ObjectAttributes, ObjectInfo } from '../../object-store/object-store.ts';
import type { FileContent } from '../local/file-content.ts';
import type { StateFile } from '../state/state.ts';
import { plainMetadata } from './privileges.ts';

export interface ProvenanceKey {
  /** 32 random bytes. */
  readonly secret: Uint8Array;
  /** Milliseconds since 1970: all later uploads of the job carry a proof. */
  readonly since: number;
}

/** An existing object, or one that an upload is about to create. */
export interface Described {
  /** Below the prefix, so that versions are recognised after the bucket is restored elsewhere. */
  readonly key: string;
  readonly sizeBytes: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Stored extends Described {
  readonly etag: string;
  readonly lastModifiedAt: number;
}

type Memory = Pick<StateFile, 'meta' | 'setMeta'>;

/** Name of a row in the state's `meta`. */
const ETAGS_ARE_MD5 = 'etags are md5';
const PURPOSE = 'holdfast upload, proof 1';
const PREFIX = 'holdfast-';
const PROOF = 'holdfast-proof';
const MD5 = 'holdfast-md5';
const MD5_ETAG = /^[0-9a-f]{32}$/;
/** MD5 is slower than SHA-256; up to this size it costs less than one request. */
const MD5_UP_TO_BYTES = 256 * 1024;

export class Provenance {
  readonly #key: ProvenanceKey;
  readonly #state: Memory;
  /** `true` if the service's ETags are MD5 digests of the content; undefined until an upload showed it. */
  #areMd5: string | undefined;

  constructor(key: ProvenanceKey, state: Memory) {
    this.#key = key;
    this.#state = state;
    this.#areMd5 = state.meta(ETAGS_ARE_MD5);
  }

  /** Adds the proof to the metadata of an upload. */
  prove(
    attributes: ObjectAttributes,
    { key, sizeBytes, md5 }: Omit<Described, 'metadata'> & { readonly md5?: string | undefined },
  ): ObjectAttributes {
    const { [PROOF]: _, ...others } = attributes.metadata ?? {};
    const metadata = { ...others, ...(md5 !== undefined && { [MD5]: md5 }) };
    const proof = digest(this.#key, { key, sizeBytes, metadata }).toString('base64url');
    return { ...attributes, metadata: { ...metadata, [PROOF]: proof } };
  }

  /** Learns from the response to an upload whether ETags are MD5 digests. */
  learn({ metadata }: ObjectAttributes, { etag }: Pick<Stored, 'etag'>): void {
    const md5 = metadata?.[MD5];
    if (md5 === undefined) return;
    const areMd5 = String(md5 === etag);
    if (areMd5 === this.#areMd5) return;
    this.#areMd5 = areMd5;
    this.#state.setMeta(ETAGS_ARE_MD5, areMd5);
  }

  /** The MD5 of a copy: services with MD5 ETags keep the ETag of the source. */
  md5OfCopy({ etag }: Pick<Stored, 'etag'>): string | undefined {
    return this.#areMd5 === 'true' && MD5_ETAG.test(etag) ? etag : undefined;
  }

  /** Whether this job uploaded the object. */
  isOwn(object: Stored): boolean {
    if (object.metadata[PROOF] === undefined) return isFromEarlierRelease(object, this.#key);
    return this.isProven(object) && !this.isOtherContent(object);
  }

  /** Whether this job wrote the metadata, by the proof alone. */
  isProven(object: Described): boolean {
    return isProven(this.#key, object);
  }

  /** Whether the object has the bytes with this MD5; undefined if its ETag does not show that. */
  isContent({ etag }: Pick<Stored, 'etag'>, md5: string): boolean | undefined {
    if (etag === md5) return true;
    return this.#areMd5 === 'true' && MD5_ETAG.test(etag) ? false : undefined;
  }

  /** Whether the ETag shows other bytes than the metadata. */
  isOtherContent({ metadata, etag }: Pick<Stored, 'metadata' | 'etag'>): boolean {
    const md5 = metadata[MD5];
    return md5 !== undefined && this.#areMd5 === 'true' && md5 !== etag;
  }
}

/** Whether the job with this key wrote the metadata. Metadata copied to another key or size do not count. */
export function isProven(key: ProvenanceKey, object: Described): boolean {
  const proof: unknown = object.metadata[PROOF];
  if (typeof proof !== 'string') return false;
  const found = Buffer.from(proof, 'base64url');
  const expected = digest(key, object);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** The MD5 of the content, which is its ETag on most services; undefined if the content is too large. */
export function md5Of({ bytes, sizeBytes }: FileContent): string | undefined {
  return bytes && sizeBytes <= MD5_UP_TO_BYTES ? hash('md5', bytes) : undefined;
}

/** Uploads of earlier releases have an id and no proof. A later upload without proof is not the job's. */
function isFromEarlierRelease(
  { metadata, lastModifiedAt }: Stored,
  { since }: ProvenanceKey,
): boolean {
  return metadata['holdfast-journal'] !== undefined && lastModifiedAt < since;
}

/** JSON is unambiguous: two different objects never have the same text. */
function digest({ secret }: ProvenanceKey, { key, sizeBytes, metadata }: Described): Buffer {
  const ours = Object.entries(metadata)
    .filter(([name]) => name.startsWith(PREFIX) && name !== PROOF)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([PURPOSE, key, sizeBytes, ours]);
  return createHmac('sha256', secret).update(text).digest();
}

/**
 * The metadata for a copy of the source, without owner and mode bits 07000 unless a proof shows that the job wrote
 * them: the copy gets the proof of this job, which must not vouch for metadata of another client.
 */
export function provenMetadata(
  { metadata = {}, ...source }: ObjectInfo & { readonly key: string },
  provenance: Provenance,
): Readonly<Record<string, string>> {
  return provenance.isProven({ ...source, metadata }) ? metadata : plainMetadata(metadata);
}
