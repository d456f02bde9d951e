/** Declares the commands for container clusters and their node groups. */

import type { Command } from 'commander';

import type { ServiceOptions } from './cluster-place.ts';
import type { CreateClusterOptions, DeleteOptions } from './clusters.ts';
import { collect, declare } from '../../declare.ts';
import type { CreateGroupOptions, DeleteGroupOptions, UpdateGroupOptions } from './nodegroups.ts';
import { wholeNumber } from '../../output/numbers.ts';
import { collectPairs } from '../../arguments/pairs.ts';
import type { Run } from '../../program.ts';
import type { WaitOptions } from './cluster-wait.ts';

export function declareCommands(program: Command, run: Run): void {
  declareClusters(program, run);
  declareNodegroups(program, run);
}

const onService = (command: Command): Command =>
  command.option('--service <name>', 'a remote service in config.yaml, instead of this machine');
const waiting = (command: Command): Command =>
  onService(command)
    .option('--wait', 'wait until the operation is complete')
    .option('--timeout <duration>', 'wait no longer than this (default: 30m)');

function declareClusters(clusters: Command, run: Run): void {
  declare(clusters, {
    usage: 'services',
    summary: 'list the services, and the features that each lacks',
    examples: ['holdfast cluster services'],
  }).action(() => run(async (context) => (await import('./clusters.ts')).listServices(context)));

  onService(
    declare(clusters, {
      usage: 'list',
      summary: 'list clusters',
      examples: ['holdfast cluster list', 'holdfast cluster list --service datacentre --json'],
    }),
  ).action((options: ServiceOptions) =>
    run(async (context) => (await import('./clusters.ts')).listClusters(context, options)),
  );

  onService(
    declare(clusters, {
      usage: 'describe <cluster>',
      summary: 'show all fields of a cluster',
      examples: ['holdfast cluster describe prod'],
    }),
  ).action((cluster: string, options: ServiceOptions) =>
    run(async (context) =>
      (await import('./clusters.ts')).describeCluster(context, cluster, options),
    ),
  );

  waiting(
    declare(clusters, {
      usage: 'create [cluster]',
      summary: 'create a cluster',
      more: 'A file can set all other fields.',
      examples: [
        'holdfast cluster create prod --cluster-version 1.34 --subnet subnet-1 --tag team=web --wait',
        'holdfast cluster create --from-file prod.yaml',
      ],
    }),
  )
    .option('--cluster-version <version>', 'version of the orchestrator')
    .option('--subnet <id>', 'may be repeated', collect)
    .option('--security-group <id>', 'may be repeated', collect)
    .option('--ssh-key <name>', 'key pair for its machines')
    .option('--tag <key=value>', 'may be repeated', collectPairs)
    .option('--from-file <file>', 'fields in YAML or JSON; - is standard input')
    .action((cluster: string | undefined, options: CreateClusterOptions) =>
      run(async (context) =>
        (await import('./clusters.ts')).createCluster(context, cluster, options),
      ),
    );

  waiting(
    declare(clusters, {
      usage: 'delete <cluster>',
      summary: 'delete a cluster without node groups',
      examples: ['holdfast cluster delete prod', 'holdfast cluster delete prod --yes --wait'],
      destroys: ([cluster]) => `delete cluster ${cluster}`,
      asksForName: true,
    }),
  ).action((cluster: string, options: DeleteOptions) =>
    run(async (context) =>
      (await import('./clusters.ts')).deleteCluster(context, cluster, options),
    ),
  );
}

function declareNodegroups(program: Command, run: Run): void {
  const groups = declare(program, {
    usage: 'nodegroups',
    summary: 'create, show, scale and delete groups of worker nodes',
    examples: [
      'holdfast cluster nodegroups create prod workers --instance-type m1.small --desired 3 --max 6 --wait',
      'holdfast cluster nodegroups update prod workers --desired 5 --wait',
    ],
  }).helpCommand(false);
  declareShown(groups, run);
  declareChanges(groups, run);

  waiting(
    declare(groups, {
      usage: 'delete <cluster> <group>',
      summary: 'delete a node group with its nodes',
      examples: ['holdfast cluster nodegroups delete prod workers --yes --wait'],
      destroys: ([cluster, group]) =>
        `delete node group ${group} of cluster ${cluster} with its nodes`,
      asksForName: true,
    }),
  ).action((clusterName: string, nodegroupName: string, options: DeleteGroupOptions) =>
    run(async (context) =>
      (await import('./nodegroups.ts')).deleteGroup(
        context,
        { clusterName, nodegroupName },
        options,
      ),
    ),
  );

  onService(
    declare(groups, {
      usage: 'wait <cluster> <group>',
      summary: 'wait until a node group is active, has failed or is deleted',
      more: 'Exit code 1 if it has failed, and 3 if it is degraded.',
      examples: ['holdfast cluster nodegroups wait prod workers --timeout 10m'],
    }),
  )
    .option('--timeout <duration>', 'wait no longer than this (default: 30m)')
    .action((clusterName: string, nodegroupName: string, options: ServiceOptions & WaitOptions) =>
      run(async (context) =>
        (await import('./nodegroups.ts')).waitGroup(
          context,
          { clusterName, nodegroupName },
          options,
        ),
      ),
    );
}

function declareShown(groups: Command, run: Run): void {
  onService(
    declare(groups, {
      usage: 'list <cluster>',
      summary: 'list the node groups of a cluster',
      examples: ['holdfast cluster nodegroups list prod'],
    }),
  ).action((cluster: string, options: ServiceOptions) =>
    run(async (context) => (await import('./nodegroups.ts')).listGroups(context, cluster, options)),
  );

  onService(
    declare(groups, {
      usage: 'describe <cluster> <group>',
      summary: 'show all fields of a node group',
      examples: [
        'holdfast cluster nodegroups describe prod workers --json | jq .result.scalingConfig',
      ],
    }),
  ).action((clusterName: string, nodegroupName: string, options: ServiceOptions) =>
    run(async (context) =>
      (await import('./nodegroups.ts')).describeGroup(
        context,
        { clusterName, nodegroupName },
        options,
      ),
    ),
  );

  onService(
    declare(groups, {
      usage: 'export <cluster> <group>',
      summary: 'print a node group as a file for create --from-file',
      examples: ['holdfast cluster nodegroups export prod workers > workers.yaml'],
    }),
  ).action((clusterName: string, nodegroupName: string, options: ServiceOptions) =>
    run(async (context) =>
      (await import('./nodegroups.ts')).exportGroup(
        context,
        { clusterName, nodegroupName },
        options,
      ),
    ),
  );

  onService(
    declare(groups, {
      usage: 'updates <cluster> <group> [update]',
      summary: 'list the updates of a node group, or show one',
      examples: ['holdfast cluster nodegroups updates prod workers'],
    }),
  ).action(
    (
      clusterName: string,
      nodegroupName: string,
      updateId: string | undefined,
      options: ServiceOptions,
    ) =>
      run(async (context) =>
        (await import('./nodegroup-updates.ts')).showUpdates(
          context,
          { clusterName, nodegroupName },
          { ...options, updateId },
        ),
      ),
  );
}

const MAX_NODES = 450;

function declareChanges(groups: Command, run: Run): void {
  common(
    declare(groups, {
      usage: 'create [cluster] [group]',
      summary: 'create a node group',
      more: 'A file can set all other fields; options override it.',
      examples: [
        'holdfast cluster nodegroups create prod workers --instance-type m1.small --desired 3 --max 6 --wait',
        'holdfast cluster nodegroups export prod workers | holdfast cluster nodegroups create prod more --from-file -',
      ],
    }),
  )
    .option('--instance-type <type>', 'may be repeated; the first one applies', collect)
    .option('--disk-size <gib>', 'disk of each node, in GiB', wholeNumber(1, 65_536))
    .option('--subnet <id>', 'may be repeated', collect)
    .option('--ssh-key <name>', 'key pair for its machines')
    .option('--tag <key=value>', 'may be repeated', collectPairs)
    .option(
      '--node-version <version>',
      'version of the orchestrator (default: that of the cluster)',
    )
    .option('--from-file <file>', 'fields in YAML or JSON; - is standard input')
    .action(
      (
        clusterName: string | undefined,
        nodegroupName: string | undefined,
        options: CreateGroupOptions,
      ) =>
        run(async (context) =>
          (await import('./nodegroups.ts')).createGroup(
            context,
            {
              ...(clusterName !== undefined && { clusterName }),
              ...(nodegroupName !== undefined && { nodegroupName }),
            },
            options,
          ),
        ),
    );

  common(
    declare(groups, {
      usage: 'update <cluster> <group>',
      summary: 'change the size, labels, taints or version of a node group',
      more: 'Only one update runs at a time. The group keeps running.',
      examples: [
        'holdfast cluster nodegroups update prod workers --desired 5 --wait',
        'holdfast cluster nodegroups update prod workers --label tier=web --remove-taint dedicated:NO_SCHEDULE',
        'holdfast cluster nodegroups update prod workers --to-version 1.35 --wait',
      ],
    }),
  )
    .option('--remove-label <key>', 'may be repeated', collect)
    .option('--remove-taint <key:effect>', 'may be repeated', collect)
    .option('--to-version <version>', 'version; replaces all nodes, batch by batch')
    .action((clusterName: string, nodegroupName: string, options: UpdateGroupOptions) =>
      run(async (context) =>
        (await import('./nodegroups.ts')).updateGroup(
          context,
          { clusterName, nodegroupName },
          options,
        ),
      ),
    );
}

function common(command: Command): Command {
  return waiting(command)
    .option('--min <nodes>', 'minimum number of nodes', wholeNumber(0, MAX_NODES))
    .option('--desired <nodes>', 'desired number of nodes', wholeNumber(0, MAX_NODES))
    .option('--max <nodes>', 'maximum number of nodes', wholeNumber(1, MAX_NODES))
    .option('--label <key=value>', 'may be repeated', collectPairs)
    .option('--taint <key=value:effect>', 'may be repeated', collect)
    .option(
      '--max-unavailable <nodes>',
      'nodes that may be unavailable at a time: a number, or 25%',
    );
}
