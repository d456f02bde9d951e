/** Actions on one node group, in the list and on the node group's own screen. */

import type { Ui } from '../../ui/ui.ts';
import { about } from '../../commands/about.ts';
import type { Question } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { live } from '../../commands/live.ts';
import { countText } from '../../../src/text/amounts.ts';
import { isChanging } from './cluster-data.ts';
import type { ClusterPlace, Nodegroup } from './cluster-data.ts';
import { openNodegroupConfig, openNodegroupVersion } from './nodegroup-form.ts';
import { openTags } from './tags.ts';

interface Held {
  readonly place: ClusterPlace;
  /** Returns the node group that the keys apply to. */
  readonly current: () => Nodegroup | undefined;
  /** Returns all node groups from the last load. */
  readonly groups: () => readonly Nodegroup[];
  readonly changed: () => void;
}

export function nodegroupActions(
  ui: Ui,
  { place, current, groups, changed }: Held,
): ActionsFor<'nodegroup'> {
  const whyNone = () => (current() ? undefined : 'no node group is selected');
  const whyNotNow = () => {
    const group = current();
    if (!group) return 'no node group is selected';
    return isChanging(group.status)
      ? `it is ${group.status}; wait until this has ended`
      : undefined;
  };
  const having = (run: (group: Nodegroup) => void | Promise<void>) => () => {
    const group = current();
    return group ? run(group) : undefined;
  };
  return {
    'nodegroups.config': {
      why: whyNotNow,
      run: having((group) => openNodegroupConfig(ui, place, group, changed)),
    },
    'nodegroups.version': {
      why: whyNotNow,
      run: having((group) => openNodegroupVersion(ui, place, group, changed)),
    },
    'nodegroups.tags': {
      why: whyNone,
      run: having(({ nodegroupName: name, nodegroupArn: arn, tags }) =>
        openTags(ui, { ...place, name, arn, tags }, changed),
      ),
    },
    'nodegroups.delete': about(current, () => 'no node group is selected', {
      why: ({ status }) => (status === 'DELETING' ? 'it is being deleted' : undefined),
      ask: (group) => {
        const { nodegroupName: name } = group;
        return live(() => askDelete(ui, named(groups(), name) ?? group));
      },
      run: async ({ nodegroupName }) => {
        await ui.call('nodegroups.delete', { ...place, nodegroupName });
        ui.notify(`deleting node group ${nodegroupName}`);
        changed();
      },
    }),
  };
}

function named(groups: readonly Nodegroup[], name: string): Nodegroup | undefined {
  return groups.find(({ nodegroupName }) => nodegroupName === name);
}

function askDelete(ui: Ui, { nodegroupName: name, scalingConfig }: Nodegroup): Question {
  const nodes = scalingConfig?.desiredSize ?? 0;
  return {
    title: `Delete node group ${ui.look.name(name)}?`,
    facts: [`This deletes its ${countText(nodes, 'node')} and cannot be undone.`],
    type: name,
  };
}
