/** Selects the protocol of requests to a target: the configured one, or the one that its service accepts. */

import { DialectChoice } from '../src/client/dialect-choice.ts';
import type { TargetConfig } from '../src/config/config.ts';
import type { Protocol } from '../src/config/schema-words.ts';
import type { Dialect } from '../src/protocol/dialect.ts';
import { amzDialect, svcDialect } from '../src/protocol/dialect.ts';
import type { Dialects } from '../src/protocol/header-families.ts';

type Asked = Pick<TargetConfig, 'endpoint' | 'protocol'>;

export class TargetDialects {
  readonly all: Dialects;
  readonly #choices = new Map<string, DialectChoice>();

  /** `vendor` as in `Config`. */
  constructor(vendor: string) {
    this.all = { svc: svcDialect(vendor), amz: amzDialect };
  }

  /** The same choice for all clients of an endpoint. */
  of({ endpoint, protocol }: Asked): Dialect | DialectChoice {
    const { svc, amz } = this.all;
    if (protocol !== undefined) return dialectOf(protocol, this.all);
    const known = this.#choices.get(endpoint) ?? new DialectChoice([amz, svc]);
    this.#choices.set(endpoint, known);
    return known;
  }

  /** Undefined before the first contact, where the configuration states none. */
  protocolOf({ endpoint, protocol }: Asked): TargetConfig['protocol'] {
    const found = this.#choices.get(endpoint)?.found;
    return protocol ?? (found && (found.name === 'amz' ? 's3' : 'svc'));
  }
}

export function dialectOf(protocol: Protocol, { svc, amz }: Dialects): Dialect {
  return protocol === 's3' ? amz : svc;
}
