/** Edits all tags of a cluster or node group in one form. An undo restores the previous tags. */

import { defined } from '../../../src/base/defined.ts';
import type { Ui } from '../../ui/ui.ts';
import { PromptOverlay } from '../../widgets/prompt.ts';
import { pairsOf, pairsProblem, pairsText } from '../../text/pairs.ts';

type Tags = Readonly<Record<string, string>>;

interface Tagged {
  readonly name: string;
  readonly service?: string;
  readonly arn?: string | undefined;
  readonly tags: Tags;
}

export function openTags(ui: Ui, tagged: Tagged, done: () => void): void {
  const { arn: resourceArn, service, name, tags } = tagged;
  if (resourceArn === undefined) return ui.warn(`tags of ${name}: the service gave it no ARN`);
  const place = defined({ resourceArn, service });
  const change = async (from: Tags, to: Tags) => {
    const gone = Object.keys(from).filter((key) => !(key in to));
    const set = Object.entries(to).filter(([key, value]) => from[key] !== value);
    if (set.length > 0) await ui.call('clusters.tag', { ...place, tags: Object.fromEntries(set) });
    if (gone.length > 0) await ui.call('clusters.untag', { ...place, tagKeys: gone });
    done();
  };
  ui.openOverlay(
    new PromptOverlay(ui, {
      label: 'tags (KEY=VALUE …): ',
      text: pairsText(tags),
      onEnter: (text) => {
        const problem = pairsProblem(text);
        if (problem !== undefined) return problem;
        const wanted = pairsOf(text);
        void ui.attempt(async () => {
          await change(tags, wanted);
          ui.notifyUndoable(`tags of ${name} changed`, () => change(wanted, tags));
        });
        return undefined;
      },
    }),
  );
}
