/** In which dialect each target is asked: the one that its configuration states, else the one that its service accepts. */

import { DialectChoice } from '../src/client/dialect-choice.ts';
import type { TargetConfig } from '../src/config/config.ts';
import type { Dialect } from '../src/protocol/dialect.ts';
import { amzDialect, svcDialect } from '../src/protocol/dialect.ts';
import type { Dialects } from '../src/protocol/header-families.ts';

type Asked = Pick<TargetConfig, 'dialect' | 'endpoint'>;

export class TargetDialects {
  readonly all: Dialects;
  readonly #choices = new Map<string, DialectChoice>();

  /** `vendor` as in `Config`. */
  constructor(vendor: string) {
    this.all = { svc: svcDialect(vendor), amz: amzDialect };
  }

  /** The same choice for all clients of an endpoint. */
  of({ endpoint, dialect }: Asked): Dialect | DialectChoice {
    const { svc, amz } = this.all;
    if (dialect !== undefined) return this.all[dialect];
    const known = this.#choices.get(endpoint) ?? new DialectChoice([amz, svc]);
    this.#choices.set(endpoint, known);
    return known;
  }

  /** Undefined before the first contact, where the configuration states none. */
  nameOf({ endpoint, dialect }: Asked): TargetConfig['dialect'] {
    return dialect ?? this.#choices.get(endpoint)?.found?.name;
  }
}
