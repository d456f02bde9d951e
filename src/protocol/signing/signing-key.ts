/** The derived key that signs, and a cache of such keys: deriving one costs ten times a signature. */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import type { Dialect } from '../dialect.ts';
import { type CredentialScope, formatScope } from './credential-scope.ts';

export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a key that ends with a session; sent, and signed, with each request. */
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

/** Two dialects for each of some hundred access keys. */
const MAX_CACHED_KEYS = 1_000;

interface Entry {
  readonly secretAccessKey: string;
  readonly signingKey: KeyObject;
}

/** Keys by access key id and scope; a changed secret derives anew. The oldest make room. */
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
