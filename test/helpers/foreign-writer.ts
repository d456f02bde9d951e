/**
 * A client that writes while the daemon is killed. It puts, copies, deletes and uploads objects,
 * and records which writes the daemon acknowledged. Each client has its own keys, so it knows the
 * order of their versions.
 */

import { bytesBody, collect } from '../../src/object-store/body.ts';
import type { CallOptions, ObjectRef, ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { sha256 } from './tree.ts';

export const VERSIONED = 'foreign-versions';
export const PLAIN = 'foreign-plain';

const KEYS = 12;
const MAX_BODY_BYTES = 200_000;
const PART_BYTES = 5 * 1024 ** 2;
const READ_LIMIT_BYTES = 32 * 1024 ** 2;

/** Recorded content of a key that has no object. */
const ABSENT = 'absent';

interface Version {
  readonly key: string;
  readonly versionId: string;
  readonly sha256: string;
  /**
   * State of the version's removal. `asked` means that the client sent a delete and received no
   * response.
   */
  removed: 'no' | 'asked' | 'yes';
}

/** Signals about one run of the daemon. */
export interface Life {
  /** Aborts directly before the daemon is killed. */
  readonly ends: AbortSignal;
  /** Aborts when the daemon has ended. It cancels requests that will never get a response. */
  readonly over: AbortSignal;
}

export class ForeignWriter {
  readonly #name: string;
  readonly #random: () => number;
  readonly #versions: Version[] = [];
  /**
   * Possible contents of each key in the unversioned bucket. An acknowledged write reduces them to
   * one.
   */
  readonly #plain = new Map<string, Set<string>>();
  /** Index of the first version that the daemon acknowledged after the last call of `broken`. */
  #unseen = 0;

  constructor(name: string, random: () => number) {
    this.#name = name;
    this.#random = random;
  }

  /** Number of versions that the daemon acknowledged. */
  get acknowledged(): number {
    return this.#versions.length;
  }

  /** Writes until the daemon is killed. Throws an error if a request fails before that. */
  async work(store: ObjectStore, life: Life): Promise<void> {
    try {
      while (!life.ends.aborted) await this.#step(store, { signal: life.over });
    } catch (error) {
      if (!life.ends.aborted) throw error;
    }
  }

  async #step(store: ObjectStore, options: CallOptions): Promise<void> {
    const dice = this.#random();
    if (dice < 0.35) await this.#put(store, options);
    else if (dice < 0.65) await this.#overwrite(store, options);
    else if (dice < 0.75) await this.#copy(store, options);
    else if (dice < 0.85) await this.#removeVersion(store, options);
    else if (dice < 0.93) await this.#delete(store, options);
    else await this.#upload(store, options);
  }

  #key(): string {
    return `${this.#name}/${Math.floor(this.#random() * KEYS)}`;
  }

  /**
   * Two of three contents have fewer than 4000 bytes, so that the store writes them to its
   * database.
   */
  #bytes(): Buffer {
    const limit = this.#random() < 0.66 ? 4_000 : MAX_BODY_BYTES;
    const sizeBytes = Math.floor(this.#random() * limit);
    return Buffer.alloc(sizeBytes, `${this.#name} ${this.#random()} `);
  }

  async #put(store: ObjectStore, options: CallOptions): Promise<void> {
    const [key, bytes] = [this.#key(), this.#bytes()];
    const body = bytesBody(bytes);
    const { versionId = '' } = await store.putObject({ bucket: VERSIONED, key, body }, options);
    this.#promise(key, versionId, sha256(bytes));
  }

  #promise(key: string, versionId: string, sum: string): void {
    this.#versions.push({ key, versionId, sha256: sum, removed: 'no' });
  }

  async #overwrite(store: ObjectStore, options: CallOptions): Promise<void> {
    const [key, bytes] = [this.#key(), this.#bytes()];
    await this.#changePlain(key, sha256(bytes), () =>
      store.putObject({ bucket: PLAIN, key, body: bytesBody(bytes) }, options),
    );
  }

  async #changePlain(key: string, becomes: string, change: () => Promise<unknown>): Promise<void> {
    const possible = this.#plain.get(key) ?? new Set([ABSENT]);
    this.#plain.set(key, possible.add(becomes));
    await change();
    this.#plain.set(key, new Set([becomes]));
  }

  async #copy(store: ObjectStore, options: CallOptions): Promise<void> {
    const source = this.#pick();
    if (!source) return;
    const { key, versionId } = source;
    const to = this.#key();
    await this.#changePlain(to, source.sha256, () =>
      store.copyObject(
        { source: { bucket: VERSIONED, key, versionId }, bucket: PLAIN, key: to },
        options,
      ),
    );
  }

  async #removeVersion(store: ObjectStore, options: CallOptions): Promise<void> {
    const version = this.#pick();
    if (!version) return;
    version.removed = 'asked';
    const { key, versionId } = version;
    await store.deleteObject({ bucket: VERSIONED, key, versionId }, options);
    version.removed = 'yes';
  }

  #pick(): Version | undefined {
    const left = this.#versions.slice(-40).filter(({ removed }) => removed === 'no');
    return left[Math.floor(this.#random() * left.length)];
  }

  async #delete(store: ObjectStore, options: CallOptions): Promise<void> {
    const key = this.#key();
    await this.#changePlain(key, ABSENT, () => store.deleteObject({ bucket: PLAIN, key }, options));
    await store.deleteObject({ bucket: VERSIONED, key: this.#key() }, options);
  }

  async #upload(store: ObjectStore, options: CallOptions): Promise<void> {
    const ref = { bucket: VERSIONED, key: this.#key() };
    const bytes = Buffer.concat([Buffer.alloc(PART_BYTES, `${this.#random()} `), this.#bytes()]);
    const { uploadId } = await store.createUpload(ref, options);
    const upload = { ...ref, uploadId };
    const pieces = [bytes.subarray(0, PART_BYTES), bytes.subarray(PART_BYTES)];
    const parts = [];
    for (const [index, piece] of pieces.entries()) {
      const partNumber = index + 1;
      const part = { ...upload, partNumber, body: bytesBody(piece) };
      parts.push({ partNumber, etag: (await store.uploadPart(part, options)).etag });
    }
    if (this.#random() < 0.3) return store.abortUpload(upload, options);
    const { versionId = '' } = await store.completeUpload({ ...upload, parts }, options);
    this.#promise(ref.key, versionId, sha256(bytes));
  }

  /**
   * Returns the acknowledged writes that the store has lost. With `new`, it checks only the writes
   * since the last call.
   */
  async broken(store: ObjectStore, which: 'all' | 'new'): Promise<string[]> {
    const broken: string[] = [];
    const versions = which === 'all' ? this.#versions : this.#versions.slice(this.#unseen);
    this.#unseen = this.#versions.length;
    for (const version of versions) {
      const { key, versionId, removed } = version;
      const found = await contentOf(store, { bucket: VERSIONED, key, versionId });
      const isKept =
        found === version.sha256 ? removed !== 'yes' : removed !== 'no' && found === ABSENT;
      if (!isKept) broken.push(`${VERSIONED}/${key} ${versionId}: removed ${removed}, is ${found}`);
    }
    for (const [key, possible] of this.#plain) {
      const found = await contentOf(store, { bucket: PLAIN, key });
      if (!possible.has(found)) broken.push(`${PLAIN}/${key}: is ${found}`);
      this.#plain.set(key, new Set([found]));
    }
    return broken;
  }
}

/**
 * Returns the SHA-256 of the object's content, `absent` if the object does not exist, or another
 * error code.
 */
async function contentOf(store: ObjectStore, ref: ObjectRef): Promise<string> {
  try {
    const { body } = await store.getObject(ref);
    return sha256(await collect(body, READ_LIMIT_BYTES));
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return ABSENT;
    if (isStorageError(error)) return error.code;
    throw error;
  }
}
