/**
 * Selects the protocol of requests to a target. It is the configured protocol or the protocol that the service
 * accepts.
 */

import { DialectChoice } from '../../src/client/dialect-choice.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import type { Protocol } from '../../src/config/schema-words.ts';
import type { Dialect } from '../../src/protocol/dialect.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import type { Dialects } from '../../src/protocol/header-families.ts';

type Asked = Pick<TargetConfig, 'endpoint' | 'protocol'>;

export class TargetDialects {
  readonly all: Dialects;
  readonly #choices = new Map<string, DialectChoice>();

  /** Creates the dialects. `vendor` is the setting of the same name in `Config`. */
  constructor(vendor: string) {
    this.all = { svc: svcDialect(vendor), amz: amzDialect };
  }

  /** Returns the configured dialect. Without one, returns the choice that all clients of the endpoint share. */
  of({ endpoint, protocol }: Asked): Dialect | DialectChoice {
    const { svc, amz } = this.all;
    if (protocol !== undefined) return dialectOf(protocol, this.all);
    const known = this.#choices.get(endpoint) ?? new DialectChoice([amz, svc]);
    this.#choices.set(endpoint, known);
    return known;
  }

  /**
   * Returns the name of the protocol. Returns undefined if no protocol is configured and the service has not
   * responded yet.
   */
  protocolOf({ endpoint, protocol }: Asked): TargetConfig['protocol'] {
    const found = this.#choices.get(endpoint)?.found;
    return protocol ?? (found && (found.name === 'amz' ? 's3' : 'svc'));
  }
}

export function dialectOf(protocol: Protocol, { svc, amz }: Dialects): Dialect {
  return protocol === 's3' ? amz : svc;
}
