/** An ObjectStore as an HTTP service, in both dialects on one port, and over TLS on another. */

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
  /** The store as one caller may use it. */
  readonly store: (caller: Caller) => ObjectStore;
  /** What one caller could be allowed before a document is read; without it, the store alone says so afterwards. */
  readonly accessOf?: (caller: Caller) => RequestAccess;
  /** What its buckets have for browsers; without it, no answer is shown to pages of other origins. */
  readonly browserConfig?: Pick<BrowserConfig, 'corsRules'>;
  readonly identity: Identity;
  /** Whose links are followed; none without. */
  readonly links?: LinkKeys;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** HTTPS on a port of its own, of the same host. */
  readonly tls?: Certificate & { readonly port: number };
  readonly region: string;
  /** Where signatures of version 2 are taken; `presigned` without. */
  readonly signatureV2?: SignatureV2;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed; none without. */
  readonly trustedProxies?: readonly string[];
  /** Whether keys of customers are taken in clear from other machines too. */
  readonly customerKeysOverHttp?: boolean;
  /** Told of each answer; the operation is absent where the request named none. */
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
  /** Takes no new requests, ends idle connections at once and all others after a short grace. */
  close(): Promise<void>;
}

/** Listens when it resolves. Throws GatewayError, naming host and port. */
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
