/** Signs any request, even an invalid request, and returns its raw bytes. */

import { createHash } from 'node:crypto';

import type { Dialect } from '../../src/protocol/dialect.ts';
import { formatQuery, parseQuery } from '../../src/protocol/paths.ts';
import { formatAuthorization } from '../../src/protocol/signing/authorization-header.ts';
import { canonicalRequest, claimedHeaders } from '../../src/protocol/signing/canonical-request.ts';
import { type CredentialScope, formatScope } from '../../src/protocol/signing/credential-scope.ts';
import {
  deriveSigningKey,
  type SigningCredentials,
} from '../../src/protocol/signing/signing-key.ts';
import type { Seed } from '../../src/protocol/signing/sign-request.ts';
import {
  chunkStringToSign,
  signatureOf,
  stringToSign,
  trailerStringToSign,
} from '../../src/protocol/signing/string-to-sign.ts';
import { formatTimestamp } from '../../src/protocol/signing/timestamp.ts';
import type { WireHeaders, WireQuery } from '../../src/protocol/wire.ts';
import { Headers } from '../../src/protocol/headers.ts';

export interface FreeRequest {
  readonly method?: string;
  /**
   * Request target as it appears in the request line. For a presigned URL, the signer adds the
   * query parameters of the signature.
   */
  readonly url: string;
  /**
   * Headers that the signature covers. In a name that begins with `x-*-`, the prefix of the dialect
   * (`s3` or `svc`) replaces `x-*-`.
   */
  readonly headers?: WireHeaders;
  /** Headers that are sent, but that the signature does not cover. */
  readonly unsigned?: WireHeaders;
  /** Request body as a string in which each character stands for one byte. */
  readonly body?: string;
  /**
   * Payload hash that is signed. The default is the SHA-256 of the body, or `UNSIGNED-PAYLOAD` for
   * a presigned URL.
   */
  readonly payloadHash?: string;
  /** Names of headers that are sent, but that the signature does not cover. */
  readonly leftOut?: readonly string[];
  readonly scope?: Partial<CredentialScope>;
  readonly credentials?: SigningCredentials;
  /** Time of the signature in milliseconds since 1970. The default is the current time. */
  readonly signedAt?: number;
  /**
   * If set, the signer creates a presigned URL. The entries replace query parameters, named without
   * their prefix. An empty value removes the parameter.
   */
  readonly presigned?: Readonly<Record<string, string>>;
}

export interface FreeSignerOptions {
  readonly dialect: Dialect;
  readonly host: string;
  readonly region: string;
  readonly credentials: SigningCredentials;
  readonly now: () => number;
}

export interface FreelySigned {
  /** Request line and headers, without the empty line that ends them. */
  readonly lines: readonly string[];
  readonly url: string;
  /** Signature and signing key that the signature of the first chunk depends on. */
  readonly seed: Seed;
  /** Complete request with its body. */
  readonly text: string;
}

interface Basis {
  readonly timestamp: string;
  readonly query: WireQuery;
  readonly headers: WireHeaders;
  readonly scope: CredentialScope;
  readonly credentials: SigningCredentials;
}

export class FreeSigner {
  readonly #options: FreeSignerOptions;

  constructor(options: FreeSignerOptions) {
    this.#options = options;
  }

  sign(wish: FreeRequest): FreelySigned {
    return wish.presigned ? this.#presign(wish, wish.presigned) : this.#signInHeader(wish);
  }

  #signInHeader(wish: FreeRequest): FreelySigned {
    const { dialect } = this.#options;
    const { body = '', payloadHash = sha256(body) } = wish;
    const basis = this.#basis(wish);
    const headers: WireHeaders = [
      ...basis.headers,
      [`${dialect.headerPrefix}date`, basis.timestamp],
      [`${dialect.headerPrefix}content-sha256`, payloadHash],
    ];
    const signedHeaders = namesOf(headers, wish.leftOut);
    const seed = this.#seed(wish, basis, {
      headers,
      signedHeaders,
      payloadHash,
      query: basis.query,
    });
    const authorization = formatAuthorization(dialect, {
      credential: `${basis.credentials.accessKeyId}/${seed.scope}`,
      signedHeaders: signedHeaders.join(';'),
      signature: seed.signature,
    });
    return asText(wish, [...headers, ['authorization', authorization]], { url: wish.url, seed });
  }

  #presign(wish: FreeRequest, parameters: Readonly<Record<string, string>>): FreelySigned {
    const { dialect } = this.#options;
    const { payloadHash = 'UNSIGNED-PAYLOAD' } = wish;
    const basis = this.#basis(wish);
    const signedHeaders = namesOf(basis.headers, wish.leftOut);
    const all = {
      Algorithm: dialect.algorithm,
      Credential: `${basis.credentials.accessKeyId}/${formatScope(basis.scope)}`,
      Date: basis.timestamp,
      Expires: '86400',
      SignedHeaders: signedHeaders.join(';'),
      ...parameters,
    };
    const own = Object.entries(all)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [dialect.queryPrefix + name, value] as const);
    const query = [...basis.query, ...own];
    const seed = this.#seed(wish, basis, {
      headers: basis.headers,
      signedHeaders,
      payloadHash,
      query,
    });
    const [path = ''] = wish.url.split('?');
    const signature = [`${dialect.queryPrefix}Signature`, seed.signature] as const;
    const url = `${path}?${formatQuery([...query, signature])}`;
    return asText(wish, basis.headers, { url, seed });
  }

  #basis({ url, headers = [], scope = {}, signedAt, credentials }: FreeRequest): Basis {
    const { dialect, host, region, now } = this.#options;
    const timestamp = formatTimestamp(signedAt ?? now());
    const { service, terminator } = dialect;
    const [, query = ''] = url.split('?');
    const named = headers.map(
      ([name, value]) => [name.replace(/^x-\*-/, dialect.headerPrefix), value] as const,
    );
    const hasHost = named.some(([name]) => name === 'host');
    return {
      timestamp,
      query: parseQuery(query),
      headers: hasHost ? named : [['host', host] as const, ...named],
      scope: { date: timestamp.slice(0, 8), region, service, terminator, ...scope },
      credentials: credentials ?? this.#options.credentials,
    };
  }

  #seed(
    wish: FreeRequest,
    // The signature and the headers use the same clock reading. Two readings could return different
    // seconds.
    { timestamp, scope, credentials }: Basis,
    {
      query,
      headers,
      signedHeaders,
      payloadHash,
    }: {
      readonly query: WireQuery;
      readonly headers: WireHeaders;
      readonly signedHeaders: readonly string[];
      readonly payloadHash: string;
    },
  ): Seed {
    const { dialect } = this.#options;
    const { method = 'GET', url } = wish;
    const request = { method, path: url.split('?')[0] ?? '', query };
    const claimed = claimedHeaders(new Headers(headers), signedHeaders);
    const canonical = canonicalRequest(request, claimed, payloadHash);
    const signingKey = deriveSigningKey(credentials.secretAccessKey, scope, dialect);
    const signing = { dialect, timestamp, scope: formatScope(scope) };
    const signature = signatureOf(signingKey, stringToSign(signing, canonical));
    return { ...signing, signingKey, signature };
  }
}

function namesOf(headers: WireHeaders, leftOut: readonly string[] = []): readonly string[] {
  const names = headers.map(([name]) => name).filter((name) => !leftOut.includes(name));
  return [...new Set(names)].sort();
}

function asText(
  { method = 'GET', unsigned = [], body }: FreeRequest,
  headers: WireHeaders,
  { url, seed }: { readonly url: string; readonly seed: Seed },
): FreelySigned {
  const all = [...headers, ...unsigned];
  const framed = all.some(([name]) => name === 'content-length' || name === 'transfer-encoding');
  if (body !== undefined && !framed) all.push(['content-length', String(body.length)]);
  const lines = [`${method} ${url} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return { lines, url, seed, text: `${lines.join('\r\n')}\r\n\r\n${body ?? ''}` };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

/**
 * Returns an aws-chunked body with signed chunks and the final chunk. The chunks may have any size,
 * even a size that the protocol forbids.
 */
export function freeChunks(
  seed: Seed,
  chunks: readonly string[],
  trailer?: readonly [name: string, value: string],
): string {
  let previous = seed.signature;
  let wire = '';
  for (const chunk of [...chunks, '']) {
    previous = signatureOf(seed.signingKey, chunkStringToSign(seed, previous, sha256(chunk)));
    wire += `${chunk.length.toString(16)};chunk-signature=${previous}\r\n`;
    if (chunk !== '') wire += `${chunk}\r\n`;
  }
  if (trailer === undefined) return `${wire}\r\n`;
  const [name, value] = trailer;
  const text = trailerStringToSign(seed, previous, sha256(`${name}:${value}\n`));
  const signature = signatureOf(seed.signingKey, text);
  return `${wire}${name}:${value}\r\n${seed.dialect.headerPrefix}trailer-signature:${signature}\r\n\r\n`;
}
