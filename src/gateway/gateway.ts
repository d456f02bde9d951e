/**
 * Serves an `ObjectStore` over HTTP. One port serves both dialects; another port serves them over
 * TLS.
 */

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Identity } from '../identity/identity.ts';
import type { BrowserConfig } from '../object-store/browser-config.ts';
import type { Caller } from '../object-store/caller.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { RequestAccess } from '../object-store/request-access.ts';
import type { LinkKeys } from '../protocol/signing/link-keys.ts';
import type { SignatureV2 } from '../protocol/signing/signature-v2.ts';
import { Exchanges } from './exchanges.ts';
import {
  openListener,
  openTlsListener,
  type Certificate,
  type TlsListener,
} from '../http/listener.ts';
import type { HeadOptions } from './request-head.ts';

export interface GatewayOptions extends HeadOptions {
  /** Returns the store with the permissions of one caller. */
  readonly store: (caller: Caller) => ObjectStore;
  /**
   * Returns the permission checks that run before a request body with an XML or JSON document is read. If absent, only
   * the store checks permissions, after the body has been read.
   */
  readonly accessOf?: (caller: Caller) => RequestAccess;
  /** Reads the CORS rules of buckets. If absent, no response has CORS headers. */
  readonly browserConfig?: Pick<BrowserConfig, 'corsRules'>;
  readonly identity: Identity;
  /** The keys with which the service signs presigned URLs. If absent, requests with such a key are refused. */
  readonly links?: LinkKeys;
  readonly host: string;
  /** The port number; 0 chooses a free port. */
  readonly port: number;
  /**
   * The certificate and the port for HTTPS on the same host. If absent, the gateway serves only
   * HTTP.
   */
  readonly tls?: Certificate & { readonly port: number };
  readonly region: string;
  /** Where signatures of version 2 are accepted; see `SignatureV2`. Default: `presigned`. */
  readonly signatureV2?: SignatureV2;
  /**
   * The addresses and address ranges of proxies whose `X-Forwarded-For` header is trusted. Default:
   * none.
   */
  readonly trustedProxies?: readonly string[];
  /** Whether customer keys are accepted from other machines without TLS. Default: false. */
  readonly customerKeysOverHttp?: boolean;
  /**
   * Called after each response. The operation is undefined if the response was sent before the
   * operation was known.
   */
  readonly onAnswered?: (operation: string | undefined, status: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Gateway {
  readonly host: string;
  /** The port on which the gateway listens. */
  readonly port: number;
  readonly url: string;
  readonly tls?: Pick<TlsListener, 'port' | 'setCertificate' | 'url'>;
  /**
   * Stops accepting connections and closes idle connections at once. Closes all other connections after a short grace
   * period.
   */
  close(): Promise<void>;
}

/**
 * Opens the gateway, and resolves when it listens. Throws GatewayError; its message contains the
 * host and the port.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, tls } = options;
  let closing = false;
  const exchanges = new Exchanges({ ...options, isClosing: () => closing });
  const { clock, logger } = options;
  const { serve, isAnswering, cutOff, commonHeaders } = exchanges;
  const listening = { clock, logger, serve, isAnswering, cutOff, commonHeaders };
  const plain = await openListener({ host, port }, listening);
  const close = async (listeners: readonly Pick<TlsListener, 'close'>[]) => {
    closing = true;
    await Promise.all(listeners.map((each) => each.close()));
  };
  if (tls === undefined) return { ...plain, close: () => close([plain]) };
  try {
    const secure = await openTlsListener({ host, port: tls.port }, tls, listening);
    return { ...plain, tls: secure, close: () => close([plain, secure]) };
  } catch (error) {
    await plain.close();
    throw error;
  }
}
