/** The options that a store is opened with. */

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
  /** Defaults for buckets and projects without quotas of their own. Those of the specification if absent. */
  readonly quotas?: Partial<Quotas>;
  /** The principals that ACLs and policies may name. If absent, each well-formed id. */
  readonly grantees?: Grantees;
  /** Settings of scrub, clock and lifecycle. An absent setting has its default. */
  readonly upkeep?: Partial<UpkeepSettings>;
  /** Opens the database even if it is not the one that the store was last opened with. */
  readonly acceptMetadata?: boolean;
  /** Reads how long the machine has been up, also asleep. If absent, time while the store is closed is not trusted. */
  readonly uptime?: ReadUptime;
  /** Runs nothing in the background: no sweep, scrub or lifecycle. Used for a repair. */
  readonly passive?: boolean;
  /** For fault tests only. */
  readonly faults?: Faults;
}
