/** Creates and revokes presigned URLs of the embedded store. Their signing keys are derived from one secret. */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import type { Clock } from '../../src/base/clock.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';
import { type Caller, internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { Dialect } from '../../src/protocol/dialect.ts';
import { formatPath } from '../../src/protocol/paths.ts';
import {
  type BucketIdOf,
  LINK_SECRET_BYTES,
  LinkKeys,
  type LinkScope,
} from '../../src/protocol/signing/link-keys.ts';
import { presign } from '../../src/protocol/signing/presign.ts';
import { SigningKeys } from '../../src/protocol/signing/signing-key.ts';

export interface LinksOptions {
  /** The file with the secret for presigned URLs. It has mode 0600, and is created if it does not exist. */
  readonly file: string;
  readonly dialect: Dialect;
  readonly region: string;
  readonly clock: Clock;
  readonly store: (caller: Caller) => ObjectStore;
  readonly bucketIdOf: BucketIdOf;
}

export interface LinkRequest extends LinkScope {
  readonly expiresSeconds: number;
  /** The scheme, host and port of the URL. The signature covers the host and the port. */
  readonly origin: string;
}

export class Links {
  readonly #options: LinksOptions;
  readonly #signingKeys = new SigningKeys();
  /** The keys with which the gateway verifies presigned URLs. */
  readonly keys: LinkKeys;

  private constructor(options: LinksOptions, keys: LinkKeys) {
    this.#options = options;
    this.keys = keys;
  }

  /** Reads or creates the secret. Throws if the file does not contain a valid secret. */
  static async open(options: LinksOptions): Promise<Links> {
    const { file } = options;
    const secret = existsSync(file) ? readSecret(file) : await makeSecret(file);
    return new Links(options, new LinkKeys(secret, options.bucketIdOf));
  }

  /**
   * Returns a presigned URL. Throws StorageError if `maker` may not access the bucket, or if the bucket policy would
   * deny the download. Anyone with the URL may use it, regardless of their permissions on the object.
   */
  async create(
    request: LinkRequest,
    maker: ObjectStore,
  ): Promise<{ url: string; expiresAt: number }> {
    const { expiresSeconds, origin, ...scope } = request;
    const { region, dialect, clock } = this.#options;
    await maker.headBucket({ bucket: scope.bucket });
    const credentials = this.keys.keyFor(scope);
    const now = clock.now();
    const follower = this.#options.store(internalCaller(credentials.principal, now));
    if (scope.does === 'get') await follower.headObject(scope);
    const { versionId } = scope;
    const url = presign(
      {
        method: scope.does === 'get' ? 'GET' : 'PUT',
        origin,
        path: formatPath(scope),
        query: versionId === undefined ? [] : [['versionId', versionId]],
        expiresSeconds,
      },
      { dialect, region, credentials, keys: this.#signingKeys, now },
    );
    // The signed date has a precision of one second.
    return { url, expiresAt: Math.floor(now / 1000) * 1000 + expiresSeconds * 1000 };
  }

  /** Replaces the secret durably. All existing presigned URLs become invalid. */
  async revoke(): Promise<void> {
    this.keys.replaceSecret(await makeSecret(this.#options.file));
  }
}

async function makeSecret(file: string): Promise<Uint8Array> {
  const secret = randomBytes(LINK_SECRET_BYTES);
  await writeAtomically(file, `${secret.toString('hex')}\n`);
  return secret;
}

function readSecret(file: string): Uint8Array {
  const text = readFileSync(file, 'utf8').trim();
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new Error(
    `cannot read the secret of presigned URLs: ${file} is invalid; delete it to create a new secret, which revokes all URLs`,
  );
}
