/** Declares the options for opening a store. */

import type { Clock } from '../base/clock.ts';
import type { Grantees } from '../base/grantees.ts';
import type { Logger } from '../base/logger.ts';
import type { Quotas } from '../object-store/rules/quota.ts';
import type { ReadUptime } from './clock/uptime.ts';
import type { Faults } from './disk/faults.ts';
import type { UpkeepSettings } from './maintenance/settings.ts';

export interface EngineOptions {
  /** The store's folder. It is created if it does not exist. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly region: string;
  /**
   * Default quotas for buckets and projects that have no quotas of their own. If absent, those of the specification apply.
   */
  readonly quotas?: Partial<Quotas>;
  /** The principals that ACLs and policies may name. If absent, they may name every well-formed ID. */
  readonly grantees?: Grantees;
  /** Settings of scrub, clock and lifecycle. An absent setting has its default value. */
  readonly upkeep?: Partial<UpkeepSettings>;
  /** Opens the database even if it is not the one that the store was last opened with. */
  readonly acceptMetadata?: boolean;
  /**
   * Reads the uptime of the machine, which includes sleep. If absent, time during which the store is closed or the machine
   * sleeps looks like a jump of the clock.
   */
  readonly uptime?: ReadUptime;
  /** Runs nothing in the background: no sweep, scrub or lifecycle. Used for a repair. */
  readonly passive?: boolean;
  /** For fault tests only. */
  readonly faults?: Faults;
}
