/** Opens the HTTP listeners of the embedded store, and renews their certificate. */

import { existsSync } from 'node:fs';

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { certificateWarning, readCertificate } from '../../src/config/certificate.ts';
import type { StorageConfig } from '../../src/config/config.ts';
import { portHolder } from '../../src/config/port-holder.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Home } from '../../src/config/home.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/gateway.ts';
import { GatewayError, type Listener } from '../../src/http/listener.ts';
import type { WebsiteOptions } from '../../src/gateway/website/website.ts';

export interface StorageListener {
  readonly name: 'storage' | 'storage-tls' | 'website';
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

export interface StorageGateway {
  /** The HTTP URL of the embedded store. */
  readonly url: string;
  /** The HTTPS URL of the embedded store. Absent if no certificate is configured. */
  readonly tlsUrl?: string;
  readonly listeners: readonly StorageListener[];
  /** Returns the website URL of a bucket. Returns undefined if websites are not served. */
  websiteUrl(bucket: string): string | undefined;
  /** Reads the certificate files again. If they are invalid, throws ConfigError and keeps the previous certificate. */
  renewCertificate(): void;
  /** Returns warnings about the certificate for the user. */
  warnings(): string[];
}

export interface StorageGatewayOptions {
  readonly storage: StorageConfig;
  readonly home: Home;
  readonly clock: Clock;
  /** Opens the listener of the storage gateway. */
  readonly open: (options: Listening) => Promise<Gateway>;
  /** Opens the website listener. Called only if websites are configured. */
  readonly openWebsites: (options: WebsiteListening) => Promise<Listener>;
}

export type Listening = Pick<
  GatewayOptions,
  'baseNames' | 'customerKeysOverHttp' | 'host' | 'port' | 'signatureV2' | 'tls'
>;

export type WebsiteListening = Pick<
  WebsiteOptions,
  'baseNames' | 'host' | 'port' | 'trustedProxies'
>;

/** Opens the listeners. Throws ConfigError if an address or the certificate cannot be used. */
export async function serveStorage(options: StorageGatewayOptions): Promise<StorageGateway> {
  const { storage, home, clock, open, openWebsites } = options;
  const { tls, website, ...plain } = storage;
  const { host, trustedProxies } = plain;
  let certificate = tls && readCertificate(tls, home);
  let isRefused = false;
  const secure = tls && certificate && { ...certificate, port: tls.port };
  const refusedAs = (path: string) => (error: unknown) => {
    throw error instanceof GatewayError ? listenerRefused(home, path, error) : error;
  };
  const gateway = await open({ ...plain, ...defined({ tls: secure }) }).catch(refusedAs('storage'));
  const websites =
    website &&
    (await openWebsites({ host, trustedProxies, ...website }).catch(refusedAs('storage.website')));
  return {
    url: gateway.url,
    ...defined({ tlsUrl: gateway.tls?.url }),
    listeners: [...listenersOf(gateway), ...(websites ? [websiteListener(websites)] : [])],
    websiteUrl: (bucket) =>
      websites && website && `http://${bucket}.${website.baseNames[0]}:${websites.port}`,
    renewCertificate() {
      if (tls === undefined) return;
      isRefused = true;
      certificate = readCertificate(tls, home);
      gateway.tls?.setCertificate(certificate);
      isRefused = false;
    },
    warnings: () => [
      ...(isRefused ? [REFUSED] : []),
      ...[(certificate && certificateWarning(certificate, clock.now())) ?? []].flat(),
    ],
  };
}

const REFUSED =
  'storage.tls: the files are invalid, so the previous certificate stays in use: run `holdfast config check`';

function listenersOf({ host, port, url, tls }: Gateway): StorageListener[] {
  const plain: StorageListener = { name: 'storage', host, port, url };
  return tls === undefined
    ? [plain]
    : [plain, { name: 'storage-tls', host, port: tls.port, url: tls.url }];
}

function websiteListener({ host, port, url }: Listener): StorageListener {
  return { name: 'website', host, port, url };
}

/** Returns the error for a listener that cannot be opened. Its hint shows how to choose another port. */
function listenerRefused({ configFile }: Home, path: string, cause: GatewayError): ConfigError {
  const keys = path.split('.');
  const line = `${keys.join(': {')}: {port: 0}${'}'.repeat(keys.length - 1)}`;
  const option = path === 'storage' ? 'start with --port 0 each time, or ' : '';
  const isTaken = cause.code === 'PortInUse';
  const problem = { path, message: `${cause.message}${isTaken ? holderText(cause) : ''}` };
  const isThere = existsSync(configFile);
  const file = isThere ? configFile : `the new file ${configFile}`;
  const hint = `stop that program, or take a free port: ${option}write \`${line}\` to ${file}`;
  return new ConfigError(configFile, [problem], {
    verb: isThere ? 'cannot use' : 'cannot use the default settings for',
    cause,
    ...(isTaken && { hint }),
  });
}

/**
 * Returns a text such as ` by node (pid 4711)`. It follows "in use" in the message. Returns an empty text if the
 * process is unknown.
 */
function holderText({ cause }: GatewayError): string {
  const port = cause instanceof Error && 'port' in cause ? Number(cause.port) : Number.NaN;
  const holder = portHolder(port);
  return holder === undefined ? '' : ` by ${holder}`;
}
