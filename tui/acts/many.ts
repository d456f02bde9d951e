/** The same thing done with many objects: how far it is in the footer, and what failed as a list to read. */

import type { Ui } from '../ui/ui.ts';
import { TextBox } from '../widgets/text-box.ts';
import { countText, numberText } from '../../src/text/amounts.ts';
import { errorWords } from '../text/error-words.ts';

/** The daemon takes 64 requests of a connection; screens have their own. */
const MOST_AT_ONCE = 8;
/** More failures than these have the same cause. */
const MOST_TOLD = 1_000;

export interface Failure {
  readonly name: string;
  readonly reason: string;
}

interface Many<Item> {
  /** What is done, for the footer: `locking`. */
  readonly title: string;
  readonly items: readonly Item[];
  /** Not yet safe to draw. */
  readonly nameOf: (item: Item) => string;
  readonly each: (item: Item, signal: AbortSignal) => Promise<void>;
}

/** How many were done; the others have been told. What is stopped is not started any more. */
export async function doMany<Item>(ui: Ui, many: Many<Item>): Promise<number> {
  const { title, items, nameOf, each } = many;
  // The reason of one alone is told where it was asked for.
  if (items.length === 1)
    return ui.work(title, ({ abort }) => each(items[0]!, abort.signal)).then(() => 1);
  const failures: Failure[] = [];
  let done = 0;
  await ui.work(title, async (work) => {
    const queue = items.values();
    const next = async () => {
      for (const item of queue) {
        if (work.abort.signal.aborted) return;
        try {
          await each(item, work.abort.signal);
          done += 1;
        } catch (error) {
          failures.push({ name: nameOf(item), reason: errorWords(error) });
        }
        work.progress = `${numberText(done + failures.length)} of ${numberText(items.length)}`;
        ui.changes.soon();
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, next));
  });
  tellFailures(ui, title, failures);
  return done;
}

export function tellFailures(ui: Ui, title: string, failures: readonly Failure[]): void {
  if (failures.length === 0) return;
  const { look } = ui;
  const lines = failures
    .slice(0, MOST_TOLD)
    .map(({ name, reason }) => `${look.name(name)}: ${look.name(reason)}`);
  const left = failures.length - lines.length;
  const rest = left > 0 ? [`and ${numberText(left)} more`] : [];
  const heading = `${title}: ${countText(failures.length, 'failure')}`;
  ui.openOverlay(new TextBox(ui, heading, [...lines, ...rest]));
}
