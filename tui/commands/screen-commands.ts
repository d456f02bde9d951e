/** Maps each screen's scope to the screen's commands. */

import { ACTIVITY_COMMANDS } from './activity-commands.ts';
import { CLUSTERS_COMMANDS, NODEGROUP_COMMANDS, NODEGROUPS_COMMANDS } from './nodes-commands.ts';
import { ALARM_COMMANDS, METRICS_COMMANDS } from './metrics-commands.ts';
import { BUCKETS_COMMANDS } from './buckets-commands.ts';
import { SPAN_COMMANDS } from './charts-commands.ts';
import { CONFLICT_COMMANDS } from './conflicts-commands.ts';
import { DIFF_COMMANDS } from './diff-commands.ts';
import { OBJECTS_COMMANDS } from './objects-commands.ts';
import { JOB_COMMANDS, ONE_JOB_COMMANDS, REVIEW_COMMANDS } from './jobs-commands.ts';
import { VERSIONS_COMMANDS } from './versions-commands.ts';
import { PREVIEW_COMMANDS } from './preview-commands.ts';
import { OBJECT_COMMANDS } from './object-commands.ts';
import { PLAN_COMMANDS, RESTORE_COMMANDS, RUN_COMMANDS } from './restore-commands.ts';
import { LIFECYCLE_COMMANDS, SETTINGS_COMMANDS } from './settings-commands.ts';
import { KEEP_RULES_COMMANDS, USAGE_COMMANDS } from './usage-commands.ts';
import { LOCKS_COMMANDS } from './locks-commands.ts';
import type { ActionsOf, Command } from './command.ts';

export const SCREEN_COMMANDS = {
  activity: ACTIVITY_COMMANDS,
  charts: SPAN_COMMANDS,
  dashboard: [...JOB_COMMANDS, ...SPAN_COMMANDS],
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
  locks: [...LOCKS_COMMANDS, ...SPAN_COMMANDS],
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

/**
 * The actions that a screen must provide. The type accepts no actions if the command list was not declared `as const`.
 */
export type ActionsFor<S extends Scope> = string extends CommandsOf<S>[number]['id']
  ? never
  : ActionsOf<CommandsOf<S>>;
