/** Defines the options for opening a store. */

import type { Clock } from '../base/clock.ts';
import type { Grantees } from '../base/grantees.ts';
import type { Logger } from '../base/logger.ts';
import type { Quotas } from '../object-store/rules/quota.ts';
import type { ReadUptime } from './clock/uptime.ts';
import type { Faults } from './disk/faults.ts';
import type { UpkeepSettings } from './maintenance/settings.ts';

export interface EngineOptions {
  /** The store's folder, which is created if it does not exist. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly region: string;
  /**
   * The default quotas for buckets and projects that have no quotas of their own. If absent, the defaults of the
   * specification apply.
   */
  readonly quotas?: Partial<Quotas>;
  /** Decides which principals ACLs and policies may name. If absent, they may name every well-formed ID. */
  readonly grantees?: Grantees;
  /** Settings of scrub, clock and lifecycle. Missing settings have their default values. */
  readonly upkeep?: Partial<UpkeepSettings>;
  /** Opens the database even if it is not the one with which the store was last opened. */
  readonly acceptMetadata?: boolean;
  /**
   * Reads the uptime of the machine, including sleep. If absent, time during which the store is closed or the machine
   * sleeps counts as a jump of the clock.
   */
  readonly uptime?: ReadUptime;
  /** Whether to run no garbage collection, scrub or lifecycle rules in the background. Set for a repair. */
  readonly passive?: boolean;
  /** Faults that tests inject. */
  readonly faults?: Faults;
}
