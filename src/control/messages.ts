/**
 * Defines all methods of the control protocol in one table. The client and the daemon use these schemas to parse
 * messages. The JSON output of commands has the same structure as the results. docs/reference is generated from this
 * table.
 */

import type { z } from 'zod';

import { FIRST_METHODS } from './first-messages.ts';
import type { MethodDeclaration } from './method.ts';
import { ACCESS_METHODS } from './methods/access.ts';
import { BASIC_METHODS } from './methods/basic-operations.ts';
import { CLAIM_METHODS } from './methods/claims.ts';
import { CONFIG_METHODS } from './methods/config.ts';
import { CONFLICT_METHODS } from './methods/conflicts.ts';
import { ALERT_METHODS } from './methods/alerts.ts';
import { CLUSTER_METHODS } from './methods/clusters.ts';
import { CORS_METHODS } from './methods/cors.ts';
import { ENCRYPTION_METHODS } from './methods/encryption.ts';
import { HISTORY_METHODS } from './methods/history.ts';
import { JOB_LOCK_METHODS } from './methods/job-locks.ts';
import { JOB_METHODS } from './methods/jobs.ts';
import { KEY_METHODS } from './methods/keys.ts';
import { LIFECYCLE_METHODS } from './methods/lifecycle.ts';
import { LINK_METHODS } from './methods/links.ts';
import { LOCK_METHODS } from './methods/locks.ts';
import { OBJECT_METHODS } from './methods/objects.ts';
import { MONITORING_METHODS } from './methods/monitoring.ts';
import { PROJECT_METHODS } from './methods/projects.ts';
import { PROOF_METHODS } from './methods/proof.ts';
import { QUOTA_METHODS } from './methods/quotas.ts';
import { RESTORE_METHODS } from './methods/restore.ts';
import { REVIEW_METHODS } from './methods/reviews.ts';
import { STORE_METHODS } from './methods/store-upkeep.ts';
import { TARGET_METHODS } from './methods/remote-targets.ts';
import { THROUGHPUT_METHODS } from './methods/throughput.ts';
import { USER_METHODS } from './methods/users.ts';
import { SIZE_METHODS } from './methods/sizes.ts';
import { VERSION_METHODS } from './methods/versions.ts';
import { WEBSITE_METHODS } from './methods/websites.ts';

const { hello, status, shutdown } = FIRST_METHODS;

/** All methods, with the schemas of their parameters and results. */
export const METHODS = {
  hello,
  status,
  shutdown,
  ...CONFIG_METHODS,
  ...KEY_METHODS,
  ...USER_METHODS,
  ...PROJECT_METHODS,
  ...ACCESS_METHODS,
  ...LINK_METHODS,
  ...LOCK_METHODS,
  ...VERSION_METHODS,
  ...SIZE_METHODS,
  ...QUOTA_METHODS,
  ...WEBSITE_METHODS,
  ...CORS_METHODS,
  ...LIFECYCLE_METHODS,
  ...ALERT_METHODS,
  ...CLUSTER_METHODS,
  ...JOB_METHODS,
  ...TARGET_METHODS,
  ...REVIEW_METHODS,
  ...THROUGHPUT_METHODS,
  ...JOB_LOCK_METHODS,
  ...CLAIM_METHODS,
  ...CONFLICT_METHODS,
  ...RESTORE_METHODS,
  ...HISTORY_METHODS,
  ...PROOF_METHODS,
  ...STORE_METHODS,
  ...MONITORING_METHODS,
  ...BASIC_METHODS,
  ...OBJECT_METHODS,
  ...ENCRYPTION_METHODS,
  'events.subscribe': FIRST_METHODS['events.subscribe'],
  'log.tail': FIRST_METHODS['log.tail'],
} as const satisfies Readonly<Record<string, MethodDeclaration>>;

export type { DaemonEvent, EventType, MissedEvents } from './first-messages.ts';
export type { ActivityLevel } from './handshake.ts';

export type MethodName = keyof typeof METHODS;
export type Params<M extends MethodName> = z.infer<(typeof METHODS)[M]['params']>;
export type Result<M extends MethodName> = z.infer<(typeof METHODS)[M]['result']>;
