/** The commands of each screen, by the screen's scope. */

import { ACTIVITY_COMMANDS } from '../screens/activity/commands.ts';
import {
  CLUSTERS_COMMANDS,
  NODEGROUP_COMMANDS,
  NODEGROUPS_COMMANDS,
} from '../screens/nodes/commands.ts';
import type { Command } from './command.ts';

export const SCREEN_COMMANDS: Readonly<Record<string, readonly Command[]>> = {
  activity: ACTIVITY_COMMANDS,
  clusters: CLUSTERS_COMMANDS,
  nodegroups: NODEGROUPS_COMMANDS,
  nodegroup: NODEGROUP_COMMANDS,
};
