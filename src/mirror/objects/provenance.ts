/**
 * Recognises versions that the job itself uploaded. Each upload carries a proof: a keyed digest (HMAC) of its metadata.
 * A client without the job's key can copy a proof, but the copy is invalid for other content, another key or other
 * attributes.
 */

import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

import type { ObjectAttributes, ObjectInfo } from '../../object-store/object-store.ts';
import type { FileContent } from '../local/file-content.ts';
import type { StateFile } from '../state/state-file.ts';
import { plainMetadata } from './privileges.ts';

export interface ProvenanceKey {
  /** 32 random bytes as a KeyObject, because an HMAC with the raw bytes takes five times as long. */
  readonly secret: KeyObject;
  /** When the key was created, in milliseconds since 1970. All uploads of the job after that time have a proof. */
  readonly since: number;
}

/** An existing object, or an object that an upload is about to create. */
export interface Described {
  /**
   * Key of the object. It is relative to the prefix, so that versions are still recognised after the bucket is restored
   * under another prefix.
   */
  readonly key: string;
  readonly sizeBytes: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Stored extends Described {
  readonly etag: string;
  readonly lastModifiedAt: number;
}

type Memory = Pick<StateFile, 'meta' | 'setMeta'>;

/** Name of the value in the job's state that stores whether ETags are MD5 digests. */
const ETAGS_ARE_MD5 = 'etags are md5';
const PURPOSE = 'holdfast upload, proof 1';
const PREFIX = 'holdfast-';
const PROOF = 'holdfast-proof';
const MD5 = 'holdfast-md5';
const MD5_ETAG = /^[0-9a-f]{32}$/;
/**
 * Maximum size of content for which the MD5 is calculated. Up to this size, the calculation costs less than one
 * request.
 */
const MD5_UP_TO_BYTES = 256 * 1024;

export class Provenance {
  readonly #key: ProvenanceKey;
  readonly #state: Memory;
  /**
   * Whether the service's ETags are MD5 digests of the content: `true`, `false`, or undefined before the first upload.
   */
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

  /** Determines from the response to an upload whether the service's ETags are MD5 digests. */
  learn({ metadata }: ObjectAttributes, { etag }: Pick<Stored, 'etag'>): void {
    const md5 = metadata?.[MD5];
    if (md5 === undefined) return;
    const areMd5 = String(md5 === etag);
    if (areMd5 === this.#areMd5) return;
    this.#areMd5 = areMd5;
    this.#state.setMeta(ETAGS_ARE_MD5, areMd5);
  }

  /** Returns the MD5 for a copy, because services with MD5 ETags keep the ETag of the source. */
  md5OfCopy({ etag }: Pick<Stored, 'etag'>): string | undefined {
    return this.#areMd5 === 'true' && MD5_ETAG.test(etag) ? etag : undefined;
  }

  /** Returns whether this job uploaded the object. */
  isOwn(object: Stored): boolean {
    if (object.metadata[PROOF] === undefined) return isFromEarlierRelease(object, this.#key);
    return this.isProven(object) && !this.isOtherContent(object);
  }

  /** Returns whether the proof shows that this job wrote the metadata. Does not check the content. */
  isProven(object: Described): boolean {
    return isProven(this.#key, object);
  }

  /** Returns whether the object's content has this MD5; undefined if the ETag does not show it. */
  isContent({ etag }: Pick<Stored, 'etag'>, md5: string): boolean | undefined {
    if (etag === md5) return true;
    return this.#areMd5 === 'true' && MD5_ETAG.test(etag) ? false : undefined;
  }

  /** Returns whether the ETag shows that the object's content differs from the digest in its metadata. */
  isOtherContent({ metadata, etag }: Pick<Stored, 'metadata' | 'etag'>): boolean {
    const md5 = metadata[MD5];
    return md5 !== undefined && this.#areMd5 === 'true' && md5 !== etag;
  }
}

/**
 * Returns whether the job with this key wrote the metadata. Metadata that was copied to another key or size is not
 * accepted.
 */
export function isProven(key: ProvenanceKey, object: Described): boolean {
  const proof: unknown = object.metadata[PROOF];
  if (typeof proof !== 'string') return false;
  const found = Buffer.from(proof, 'base64url');
  const expected = digest(key, object);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** Returns the content's MD5, which most services use as the ETag; undefined if the content is too large. */
export function md5Of({ bytes, sizeBytes }: FileContent): string | undefined {
  return bytes && sizeBytes <= MD5_UP_TO_BYTES ? hash('md5', bytes) : undefined;
}

/**
 * Returns whether an earlier release of Holdfast uploaded the object with a journal id but without a proof. Objects
 * without a proof that were uploaded later are not the job's.
 */
function isFromEarlierRelease(
  { metadata, lastModifiedAt }: Stored,
  { since }: ProvenanceKey,
): boolean {
  return metadata['holdfast-journal'] !== undefined && lastModifiedAt < since;
}

/**
 * Returns the keyed digest of an object's key, size and metadata. JSON is unambiguous, so different objects always have
 * different text.
 */
function digest({ secret }: ProvenanceKey, { key, sizeBytes, metadata }: Described): Buffer {
  const ours = Object.keys(metadata)
    .filter((name) => name.startsWith(PREFIX) && name !== PROOF)
    .sort()
    .map((name) => [name, metadata[name]]);
  const text = JSON.stringify([PURPOSE, key, sizeBytes, ours]);
  return createHmac('sha256', secret).update(text).digest();
}

/**
 * Returns the metadata for a copy of an object. Drops owner and mode bits 07000 unless a proof shows that the job wrote
 * them. Otherwise the copy's own proof would cover another client's metadata.
 */
export function provenMetadata(
  { metadata = {}, ...source }: ObjectInfo & { readonly key: string },
  provenance: Provenance,
): Readonly<Record<string, string>> {
  return provenance.isProven({ ...source, metadata }) ? metadata : plainMetadata(metadata);
}
