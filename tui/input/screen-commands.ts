/** The commands of each screen, by the screen's scope. */

import { ACTIVITY_COMMANDS } from '../screens/activity/commands.ts';
import {
  CLUSTERS_COMMANDS,
  NODEGROUP_COMMANDS,
  NODEGROUPS_COMMANDS,
} from '../screens/nodes/commands.ts';
import { ALARM_COMMANDS, METRICS_COMMANDS } from '../screens/metrics/commands.ts';
import { BUCKETS_COMMANDS } from '../screens/buckets/commands.ts';
import { CONFLICT_COMMANDS } from '../screens/conflicts/commands.ts';
import { DIFF_COMMANDS } from '../screens/diff/commands.ts';
import { OBJECTS_COMMANDS } from '../screens/objects/commands.ts';
import { JOB_COMMANDS, ONE_JOB_COMMANDS, REVIEW_COMMANDS } from '../screens/jobs/commands.ts';
import { VERSIONS_COMMANDS } from '../screens/versions/commands.ts';
import { PREVIEW_COMMANDS } from '../screens/preview/commands.ts';
import { OBJECT_COMMANDS } from '../screens/object/commands.ts';
import { PLAN_COMMANDS, RESTORE_COMMANDS, RUN_COMMANDS } from '../screens/restore/commands.ts';
import { LIFECYCLE_COMMANDS, SETTINGS_COMMANDS } from '../screens/settings/commands.ts';
import { KEEP_RULES_COMMANDS, USAGE_COMMANDS } from '../screens/usage/usage-commands.ts';
import { LOCKS_COMMANDS } from '../screens/locks/commands.ts';
import type { ActionsOf, Command } from './command.ts';

export const SCREEN_COMMANDS = {
  activity: ACTIVITY_COMMANDS,
  dashboard: JOB_COMMANDS,
  jobs: JOB_COMMANDS,
  job: ONE_JOB_COMMANDS,
  review: REVIEW_COMMANDS,
  buckets: BUCKETS_COMMANDS,
  objects: OBJECTS_COMMANDS,
  object: OBJECT_COMMANDS,
  settings: SETTINGS_COMMANDS,
  lifecycle: LIFECYCLE_COMMANDS,
  versions: VERSIONS_COMMANDS,
  preview: PREVIEW_COMMANDS,
  conflicts: CONFLICT_COMMANDS,
  diff: DIFF_COMMANDS,
  locks: LOCKS_COMMANDS,
  usage: USAGE_COMMANDS,
  keepRules: KEEP_RULES_COMMANDS,
  restore: RESTORE_COMMANDS,
  plan: PLAN_COMMANDS,
  run: RUN_COMMANDS,
  alarm: ALARM_COMMANDS,
  metrics: METRICS_COMMANDS,
  clusters: CLUSTERS_COMMANDS,
  nodegroups: NODEGROUPS_COMMANDS,
  nodegroup: NODEGROUP_COMMANDS,
  findings: [],
  'lifecycle-preview': [],
  runs: [],
  times: [],
} as const satisfies Readonly<Record<string, readonly Command[]>>;

export type Scope = keyof typeof SCREEN_COMMANDS;

type CommandsOf<S extends Scope> = (typeof SCREEN_COMMANDS)[S];

/** The actions that a screen must have. None are accepted for a list that was not declared `as const`. */
export type ActionsFor<S extends Scope> = string extends CommandsOf<S>[number]['id']
  ? never
  : ActionsOf<CommandsOf<S>>;
