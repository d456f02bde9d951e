/** Derives and caches signing keys. Deriving a key takes ten times as long as signing with it. */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import type { Dialect } from '../dialect.ts';
import { type CredentialScope, formatScope } from './credential-scope.ts';

export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of temporary credentials. The client sends and signs it with each request. */
  readonly sessionToken?: string;
}

export function deriveSigningKey(
  secretAccessKey: string,
  scope: CredentialScope,
  dialect: Dialect,
): KeyObject {
  const { date, region, service, terminator } = scope;
  let key: string | Buffer = dialect.secretPrefix + secretAccessKey;
  for (const part of [date, region, service, terminator]) {
    key = createHmac('sha256', key).update(part).digest();
  }
  return createSecretKey(key as Buffer);
}

/** The maximum number of cached keys. It is enough for several hundred access keys in two dialects. */
const MAX_CACHED_KEYS = 1_000;

interface Entry {
  readonly secretAccessKey: string;
  readonly signingKey: KeyObject;
}

/**
 * Caches signing keys by dialect, access key ID and scope. Derives a key again if the secret has changed. Evicts the
 * oldest keys.
 */
export class SigningKeys {
  readonly #entries = new Map<string, Entry>();

  keyFor(credentials: SigningCredentials, scope: CredentialScope, dialect: Dialect): KeyObject {
    const { accessKeyId, secretAccessKey } = credentials;
    const name = `${dialect.secretPrefix}\n${accessKeyId}\n${formatScope(scope)}`;
    const found = this.#entries.get(name);
    if (found?.secretAccessKey === secretAccessKey) return found.signingKey;
    const signingKey = deriveSigningKey(secretAccessKey, scope, dialect);
    this.#entries.delete(name);
    this.#entries.set(name, { secretAccessKey, signingKey });
    if (this.#entries.size > MAX_CACHED_KEYS) this.#dropOldest();
    return signingKey;
  }

  #dropOldest(): void {
    for (const name of this.#entries.keys()) {
      this.#entries.delete(name);
      return;
    }
  }
}
