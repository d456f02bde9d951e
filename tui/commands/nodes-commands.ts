/** The commands for clusters and node groups. */

import type { Command } from './command.ts';

export const CLUSTERS_COMMANDS = [
  { id: 'clusters.new', title: 'new cluster', keys: ['n'], hint: 'new' },
  { id: 'clusters.tags', title: 'tags of the cluster', keys: ['t'], danger: 1, hint: 'tags' },
  { id: 'clusters.delete', title: 'delete the cluster', keys: ['D'], danger: 3, hint: 'delete' },
] as const satisfies readonly Command[];

export const NODEGROUPS_COMMANDS = [
  { id: 'nodegroups.new', title: 'new node group', keys: ['n'], hint: 'new' },
  { id: 'nodegroups.config', title: 'update its configuration', keys: ['e'], hint: 'edit' },
  { id: 'nodegroups.version', title: 'update its version', keys: ['V'], hint: 'version' },
  { id: 'nodegroups.tags', title: 'tags of the node group', keys: ['t'], danger: 1, hint: 'tags' },
  {
    id: 'nodegroups.delete',
    title: 'delete the node group',
    keys: ['D'],
    danger: 3,
    hint: 'delete',
  },
] as const satisfies readonly Command[];

type Any = (typeof NODEGROUPS_COMMANDS)[number];

export const NODEGROUP_COMMANDS = NODEGROUPS_COMMANDS.filter(
  (command: Any): command is Exclude<Any, { readonly id: 'nodegroups.new' }> =>
    command.id !== 'nodegroups.new',
);
