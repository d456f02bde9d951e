/** Records a job's transfers in progress and their rate. `MeteredStore` reports the transfers to the meter. */

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { RESERVED_FOLDER } from '../../src/mirror/model/local-path.ts';
import { Rates } from './rates.ts';

export type TransferKind = 'copy' | 'delete' | 'get' | 'put';

export interface Transfer {
  /** The key of the object that is transferred. */
  readonly key: string;
  readonly kind: TransferKind;
  /** The size of the object in bytes. Absent if unknown, as for a multipart upload. */
  readonly sizeBytes?: number;
  readonly sentBytes: number;
  /** When the transfer started, in milliseconds since 1970. */
  readonly startedAt: number;
}

export interface MeterHooks {
  /** Called when bytes were transferred, and when a transfer has started or ended. */
  readonly onMoved: () => void;
  /** `isRead` is whether the bytes were downloaded. */
  readonly onBytes: (bytes: number, isRead: boolean) => void;
  readonly onOperation: () => void;
  readonly onVersion: (key: string) => void;
}

export class JobMeter {
  readonly rates: Rates;
  readonly #clock: Clock;
  readonly #hooks: MeterHooks;
  readonly #transfers = new Set<Moving>();
  /** The multipart uploads in progress, by upload ID. */
  readonly #uploads = new Map<
    string,
    { readonly moving: Moving; parts: number; isOver: boolean }
  >();

  constructor(clock: Clock, hooks: MeterHooks) {
    this.#clock = clock;
    this.#hooks = hooks;
    this.rates = new Rates(clock);
  }

  /** Returns the transfers in progress, oldest first. */
  transfers(): readonly Transfer[] {
    return [...this.#transfers].map((moving) => moving.transfer());
  }

  /**
   * Returns the transfers of the files below a prefix, oldest first. Internal objects of the job, such as those that
   * test the service, are not among them.
   */
  transfersOfFiles(prefix: string): readonly Transfer[] {
    return this.transfers().filter(({ key }) => key.startsWith(prefix) && !isOfMirror(key));
  }

  /** Counts one request and returns its result. */
  async operation<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } finally {
      this.rates.count(0, 1);
      this.#hooks.onOperation();
    }
  }

  begin(kind: TransferKind, key: string, sizeBytes?: number): Moving {
    const startedAt = this.#clock.now();
    const moving = new Moving({ kind, key, startedAt, ...defined({ sizeBytes }) }, (bytes) => {
      const isRead = kind === 'get';
      if (!isRead) this.rates.count(bytes);
      this.#hooks.onBytes(bytes, isRead);
      this.#hooks.onMoved();
    });
    this.#transfers.add(moving);
    this.#hooks.onMoved();
    return moving;
  }

  end(moving: Moving): void {
    if (this.#transfers.delete(moving)) this.#hooks.onMoved();
  }

  versionMade(key: string): void {
    this.#hooks.onVersion(key);
  }

  /**
   * Returns the transfer of a multipart upload. All parts of the upload share it. If an earlier daemon started the
   * upload, `sentBefore` is the number of bytes in earlier parts.
   */
  beginPart(upload: { readonly uploadId: string; readonly key: string }, sentBefore = 0): Moving {
    const known = this.#uploads.get(upload.uploadId);
    const entry = known ?? { moving: this.begin('put', upload.key), parts: 0, isOver: false };
    if (!known) entry.moving.skip(sentBefore);
    entry.parts += 1;
    this.#uploads.set(upload.uploadId, entry);
    return entry.moving;
  }

  /**
   * Ends the transfer of one part. With `isOver`, the transfer of the whole upload ends when its last part in
   * progress ends.
   */
  endPart(uploadId: string, isOver: boolean): void {
    const entry = this.#uploads.get(uploadId);
    if (!entry) return;
    entry.parts -= 1;
    entry.isOver ||= isOver;
    if (entry.isOver && entry.parts === 0) this.endUpload(uploadId);
  }

  /** Ends the transfer of a multipart upload. */
  endUpload(uploadId: string): void {
    const entry = this.#uploads.get(uploadId);
    this.#uploads.delete(uploadId);
    if (entry) this.end(entry.moving);
  }
}

export class Moving {
  readonly #facts: Omit<Transfer, 'sentBytes'>;
  readonly #onBytes: (bytes: number) => void;
  #sentBytes = 0;

  constructor(facts: Omit<Transfer, 'sentBytes'>, onBytes: (bytes: number) => void) {
    this.#facts = facts;
    this.#onBytes = onBytes;
  }

  transfer(): Transfer {
    const { sizeBytes } = this.#facts;
    // Bytes that were sent again do not count beyond the size.
    const sentBytes = Math.min(this.#sentBytes, sizeBytes ?? Infinity);
    return { ...this.#facts, sentBytes };
  }

  sent(bytes: number): void {
    this.#sentBytes += bytes;
    this.#onBytes(bytes);
  }

  /** Counts bytes that were sent earlier as sent, without reporting them as transferred. */
  skip(bytes: number): void {
    this.#sentBytes += bytes;
  }

  /** Subtracts bytes that did not arrive and will be sent again. */
  unsent(bytes: number): void {
    this.#sentBytes -= bytes;
  }
}

/**
 * Returns whether the key belongs to an internal object of the job. An internal object is not counted as a version of
 * the user's files.
 */
export function isOfMirror(key: string): boolean {
  return key.includes(RESERVED_FOLDER) && key.split('/').includes(RESERVED_FOLDER);
}
