/** The website configuration of a bucket (specification, "Website configuration"; semantics B.8). */

import type { CallOptions } from './object-store.ts';

export type WebsiteProtocol = 'http' | 'https';

export interface RedirectAll {
  /** A host, with or without a port. */
  readonly hostName: string;
  /** Default: the protocol of the request. */
  readonly protocol?: WebsiteProtocol;
}

/** Has at least one condition. If it has both, both must be met. */
export interface RoutingCondition {
  readonly keyPrefix?: string;
  /** The HTTP status of an error: 400 to 599. */
  readonly errorStatus?: number;
}

/** Absent members keep the values of the request. */
export interface RoutingRedirect {
  readonly protocol?: WebsiteProtocol;
  readonly hostName?: string;
  /** Replaces the prefix of the condition. Excludes `replaceKeyWith`. */
  readonly replaceKeyPrefixWith?: string;
  readonly replaceKeyWith?: string;
  /** Default: 301. */
  readonly status?: number;
}

export interface RoutingRule {
  /** If absent, the rule applies to every request. */
  readonly condition?: RoutingCondition;
  readonly redirect: RoutingRedirect;
}

/** Has either `indexSuffix`, with the other optional members, or only `redirectAll`. */
export interface WebsiteConfiguration {
  /** Appended to the name of a folder, for example `index.html`. */
  readonly indexSuffix?: string;
  /** The key of the error page. */
  readonly errorKey?: string;
  readonly redirectAll?: RedirectAll;
  /** At most 50. The first rule that matches applies. */
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
