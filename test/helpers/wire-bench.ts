/**
 * Starts an engine with a gateway on its own port. Sends signed requests to the gateway as raw
 * bytes.
 */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll } from 'vitest';

import { defined } from '../../src/base/defined.ts';
import type { Grantees } from '../../src/base/grantees.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { silentLogger, type Logger } from '../../src/base/logger.ts';
import { layoutOf } from '../../src/engine/disk/layout.ts';
import { openEngine, type Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { openGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { CLOSE_GRACE_MS } from '../../src/http/listener-limits.ts';
import type { AccessKey, Identity } from '../../src/identity/identity.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { Quotas } from '../../src/object-store/rules/quota.ts';
import { amzDialect, svcDialect, type Dialect } from '../../src/protocol/dialect.ts';
import { parseQuery } from '../../src/protocol/paths.ts';
import { LinkKeys } from '../../src/protocol/signing/link-keys.ts';
import { SigningKeys, type SigningCredentials } from '../../src/protocol/signing/signing-key.ts';
import { signRequest } from '../../src/protocol/signing/sign-request.ts';
import type { TestCertificate } from './certificate.ts';
import { FakeClock } from './fake-clock.ts';
import { HttpSocket, type RawAnswer } from './http-socket.ts';
import { prepareStore } from './prepared-files.ts';

export const dialects = { svc: svcDialect(), amz: amzDialect };
export const REGION = 'us-east-1';
/** The signing keys of all clients, because the derivation of a key takes longer than a signature. */
export const SIGNING_KEYS = new SigningKeys();

const principal: UserPrincipal = {
  kind: 'user',
  project: 'p1',
  user: 'ada',
  customer: 'c1',
  fullAccess: true,
};
export const accessKey: AccessKey = {
  accessKeyId: 'p1:ada@c1',
  secretAccessKey: 'secret-of-ada',
  principal,
};

const key = (user: string, project: string, fullAccess: boolean): AccessKey => ({
  accessKeyId: `${project}:${user}@c1`,
  secretAccessKey: `secret-of-${user}`,
  principal: { kind: 'user', project, user, customer: 'c1', fullAccess },
});
/** Another user of the same project. This user does not have full access. */
export const colleague = key('bob', 'p1', false);
/** User of another project. */
export const stranger = key('eve', 'p2', true);

const KEYS = new Map([accessKey, colleague, stranger].map((each) => [each.accessKeyId, each]));

/**
 * Grantees for ACLs: the project, the user id and the e-mail address of the user of another
 * project.
 */
export const GRANTEES = { project: 'p2@c1', user: 'p2:eve@c1', email: 'p2@example.com' };
const grantees: Grantees = {
  exists: (id) => KEYS.has(id) || id === 'p1@c1' || id === GRANTEES.project,
  findByEmail: (email) => (email === GRANTEES.email ? GRANTEES.project : undefined),
};

export interface RawRequest {
  readonly method: string;
  /** Path and query as they appear in the request line. */
  readonly url: string;
  /**
   * Headers that the signature covers. In a name that begins with `x-*-`, the prefix of the dialect
   * (`s3` or `svc`) replaces `x-*-`.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Host header. The default is the address of the gateway. */
  readonly host?: string;
  /** Headers that are sent, but that the signature does not cover. */
  readonly unsigned?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly contentSha256?: string;
  /** Access key that signs the request. The default is `accessKey`. */
  readonly as?: SigningCredentials;
  /**
   * Time of the signature in milliseconds since 1970. The default is the time of the test clock.
   */
  readonly signedAt?: number;
}

export interface WireBenchOptions {
  readonly logger?: Logger;
  /** Certificate for an additional TLS listener. */
  readonly tls?: TestCertificate;
  /** Source of access keys. The default contains the three users above. */
  readonly identity?: Identity;
  /** Wraps the object store between the gateway and the engine. */
  readonly wrap?: (store: ObjectStore) => ObjectStore;
  /** Start time of the test clock in milliseconds since 1970. */
  readonly startsAt?: number;
  /** Quotas of the project. The defaults are higher than any test needs. */
  readonly quotas?: Partial<Quotas>;
  readonly signatureV2?: GatewayOptions['signatureV2'];
  readonly trustedProxies?: readonly string[];
  readonly upkeep?: EngineOptions['upkeep'];
}

/**
 * Starts one gateway for all tests of a file, because opening an engine takes longer than most
 * tests.
 */
export class WireBench {
  readonly clock: FakeClock;
  readonly links = new LinkKeys(Buffer.alloc(32, 'link'), (bucket) =>
    this.#engine?.bucketId(bucket),
  );
  /** Path of the folder that contains the store. */
  readonly dir = mkdtempSync(join(tmpdir(), 'wire-'));
  readonly #options: WireBenchOptions;
  #engine: Engine | undefined;
  #metadata: Database.Database | undefined;
  #gateway: Gateway | undefined;
  #sockets: HttpSocket[] = [];
  #buckets = 0;

  /** Registers the hooks that open and close the gateway. Call it outside of tests. */
  constructor(options: WireBenchOptions = {}) {
    this.#options = options;
    this.clock = new FakeClock(options.startsAt);
    beforeAll(() => this.#open());
    afterEach(() => {
      for (const socket of this.#sockets.splice(0)) socket.destroy();
    });
    afterAll(async () => {
      const closed = this.#gateway?.close();
      // Advancing the clock makes the gateway close idle connections, and connections on which it
      // waits for the rest of a refused body.
      this.clock.advance(CLOSE_GRACE_MS);
      await closed;
      this.#metadata?.close();
      await this.#engine?.close();
      rmSync(this.dir, { recursive: true });
    });
  }

  async #open(): Promise<void> {
    const { clock, dir } = this;
    const { logger = silentLogger, tls, wrap = (store) => store } = this.#options;
    const { signatureV2, trustedProxies, quotas, upkeep } = this.#options;
    const { identity = { findKey: (id: string) => KEYS.get(id) } } = this.#options;
    prepareStore(dir);
    const engine = await openEngine({
      dir,
      clock,
      logger,
      region: REGION,
      quotas: { bucketsPerProject: 1000, ...quotas },
      grantees,
      ...defined({ upkeep }),
    });
    this.#engine = engine;
    this.#metadata = new Database(layoutOf(dir).metadata, { readonly: true });
    this.#gateway = await openGateway({
      store: (caller) => wrap(engine.as(caller)),
      accessOf: (caller) => engine.accessOf(caller),
      browserConfig: engine.browserConfig,
      identity,
      links: this.links,
      dialects,
      host: '127.0.0.1',
      port: 0,
      ...defined({ tls: tls && { ...tls, port: 0 }, signatureV2, trustedProxies }),
      region: REGION,
      clock,
      logger,
    });
  }

  get gateway(): Gateway {
    if (this.#gateway === undefined)
      throw new Error('the wire bench can be used only inside a test');
    return this.#gateway;
  }

  /** Object store of the engine. Calls on it bypass the gateway. */
  get store(): ObjectStore {
    if (this.#engine === undefined)
      throw new Error('the wire bench can be used only inside a test');
    return this.#engine.as(internalCaller(principal, this.clock.now()));
  }

  /** Returns a number that changes with each commit to the metadata of the store. */
  lastCommit(): unknown {
    return this.#metadata?.pragma('data_version', { simple: true });
  }

  /** Creates a bucket with a new name and returns the name. */
  async bucket(options: { readonly objectLockEnabled?: boolean } = {}): Promise<string> {
    const bucket = `box-${++this.#buckets}`;
    await this.store.createBucket({ bucket, ...options });
    return bucket;
  }

  /** Opens a connection that is closed after the test. */
  connect(port = this.gateway.port): HttpSocket {
    return this.#closedWithTest(new HttpSocket(port));
  }

  /**
   * Opens a TLS connection. By default the connection trusts only the certificate in `options.tls`.
   */
  connectTls(options: ConnectionOptions = { ca: this.#options.tls?.cert }): HttpSocket {
    const port = this.gateway.tls?.port ?? 0;
    const address = { host: '127.0.0.1', port, servername: 'localhost' };
    return this.#closedWithTest(new HttpSocket(connectTls({ ...address, ...options })));
  }

  #closedWithTest(socket: HttpSocket): HttpSocket {
    this.#sockets.push(socket);
    return socket;
  }

  /** Returns the request line and the headers of a signed request. */
  head(dialect: Dialect, request: RawRequest): string {
    return signedHead(request, { dialect, gateway: this.gateway, now: this.clock.now() });
  }

  /** Sends a request and returns the response. Uses a new connection unless `socket` is given. */
  send(dialect: Dialect, request: RawRequest, socket = this.connect()): Promise<RawAnswer> {
    socket.write(this.head(dialect, request));
    if (request.body !== undefined) socket.write(Buffer.from(request.body as string));
    return socket.answer(request.method);
  }
}

interface Signing {
  readonly dialect: Dialect;
  readonly gateway: Pick<Gateway, 'port'>;
  readonly now: number;
  readonly credentials?: SigningCredentials;
}

export function signedHead(request: RawRequest, signing: Signing): string {
  const { dialect, gateway, now, credentials = accessKey } = signing;
  const { method, url, body = '', unsigned = {}, as = credentials } = request;
  const [path = '', query = ''] = url.split('?');
  const given = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.replace(/^x-\*-/, dialect.headerPrefix), value] as const,
  );
  const length = Buffer.from(body as string).byteLength;
  const { headers } = signRequest(
    {
      method,
      path,
      query: parseQuery(query),
      headers: [['host', request.host ?? `127.0.0.1:${gateway.port}`], ...given],
    },
    {
      dialect,
      region: REGION,
      credentials: as,
      keys: SIGNING_KEYS,
      now: request.signedAt ?? now,
      payloadHash: request.contentSha256 ?? createHash('sha256').update(body).digest('hex'),
    },
  );
  const all = [...headers, ...Object.entries(unsigned)];
  if (
    request.body !== undefined &&
    !all.some(([name]) => name === 'content-length' || name === 'transfer-encoding')
  ) {
    all.push(['content-length', String(length)]);
  }
  return `${method} ${url} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
