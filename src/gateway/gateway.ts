/** Serves an ObjectStore over HTTP, in both dialects on one port, and over TLS on another port. */

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
   * Returns the permission checks that run before a document is read. If absent, only the store
   * checks permissions, after the document was read.
   */
  readonly accessOf?: (caller: Caller) => RequestAccess;
  /** CORS rules of the buckets. If absent, no response has CORS headers. */
  readonly browserConfig?: Pick<BrowserConfig, 'corsRules'>;
  readonly identity: Identity;
  /** Access keys of share links. If absent, requests with such a key are refused. */
  readonly links?: LinkKeys;
  readonly host: string;
  /** Port number; 0 for any free port. */
  readonly port: number;
  /** Certificate and port for HTTPS on the same host. If absent, the gateway serves HTTP only. */
  readonly tls?: Certificate & { readonly port: number };
  readonly region: string;
  /**
   * Where signatures of version 2 are accepted, as described at `SignatureV2`. Default:
   * `presigned`.
   */
  readonly signatureV2?: SignatureV2;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
  /**
   * Whether customer-provided keys are accepted without TLS from other machines. Default: false.
   */
  readonly customerKeysOverHttp?: boolean;
  /**
   * Called after each response. The operation is undefined if the request was answered before its
   * operation was known.
   */
  readonly onAnswered?: (operation: string | undefined, status: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Gateway {
  readonly host: string;
  /** The port that it listens on. */
  readonly port: number;
  readonly url: string;
  readonly tls?: Pick<TlsListener, 'port' | 'setCertificate' | 'url'>;
  /**
   * Stops accepting connections, closes idle ones at once, and all others after a short grace
   * period.
   */
  close(): Promise<void>;
}

/**
 * Opens the gateway and resolves when it listens. Throws GatewayError, whose message contains the
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
