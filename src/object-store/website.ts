/** Website mode: the role, and the configuration of a bucket (specification, "Website configuration"; semantics B.8). */

import type { CallOptions } from './object-store.ts';

export type WebsiteProtocol = 'http' | 'https';

export interface RedirectAll {
  /** A host, with or without a port. */
  readonly hostName: string;
  /** That of the request, unless it is named. */
  readonly protocol?: WebsiteProtocol;
}

/** Both must hold; at least one is there. */
export interface RoutingCondition {
  readonly keyPrefix?: string;
  /** The HTTP status of an error: 400 to 599. */
  readonly errorStatus?: number;
}

/** What is absent stays as it was asked for. */
export interface RoutingRedirect {
  readonly protocol?: WebsiteProtocol;
  readonly hostName?: string;
  /** Of the prefix of the condition; never beside `replaceKeyWith`. */
  readonly replaceKeyPrefixWith?: string;
  readonly replaceKeyWith?: string;
  /** 301, unless it is named. */
  readonly status?: number;
}

export interface RoutingRule {
  /** Absent: each request. */
  readonly condition?: RoutingCondition;
  readonly redirect: RoutingRedirect;
}

/** An index with what belongs to it, or `redirectAll` alone. */
export interface WebsiteConfiguration {
  /** Behind each folder's name: `index.html`. */
  readonly indexSuffix?: string;
  /** Of the object that is shown with errors. */
  readonly errorKey?: string;
  readonly redirectAll?: RedirectAll;
  /** At most 50; the first that matches counts. */
  readonly routingRules?: readonly RoutingRule[];
}

export interface PutWebsiteRequest {
  readonly bucket: string;
  readonly website: WebsiteConfiguration;
}

export interface WebsiteKeeper {
  /** `NoSuchWebsiteConfiguration` if the bucket has none. */
  getWebsite(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<WebsiteConfiguration>;
  /** Replaces the previous configuration. `InvalidArgument` or `InvalidRequest` for an invalid one. */
  putWebsite(request: PutWebsiteRequest, options?: CallOptions): Promise<void>;
  /** Resolves even if the bucket has none. */
  deleteWebsite(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}
