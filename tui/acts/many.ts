/** Runs one action on many objects. The footer shows the progress, and the failures are listed at the end. */

import type { Ui } from '../ui/ui.ts';
import { TextBox } from '../widgets/text-box.ts';
import { countText, numberText } from '../../src/text/amounts.ts';

/** The maximum number of concurrent requests. The daemon accepts 64 per connection, and screens send requests, too. */
const MOST_AT_ONCE = 8;
/** At most this many failures are listed. Further failures are only counted. */
const MOST_SHOWN = 1_000;

export interface Failure {
  readonly name: string;
  readonly reason: string;
}

interface Many<Item> {
  /** The name of the action in the footer, such as `locking`. */
  readonly title: string;
  readonly items: readonly Item[];
  /** Returns an item's name. The dashboard escapes it before drawing. */
  readonly nameOf: (item: Item) => string;
  readonly each: (item: Item, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs the action on all items, shows the failures and returns the number of successful items. If the user stops the
 * action, no further items start.
 */
export async function doMany<Item>(ui: Ui, many: Many<Item>): Promise<number> {
  const { title, items, nameOf, each } = many;
  // A single failure is shown as the error of the command.
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
          failures.push({ name: nameOf(item), reason: ui.errorWords(error) });
        }
        work.progress = `${numberText(done + failures.length)} of ${numberText(items.length)}`;
        ui.changes.soon();
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, next));
  });
  showFailures(ui, title, failures);
  return done;
}

export function showFailures(ui: Ui, title: string, failures: readonly Failure[]): void {
  if (failures.length === 0) return;
  const { look } = ui;
  const lines = failures
    .slice(0, MOST_SHOWN)
    .map(({ name, reason }) => `${look.name(name)}: ${look.name(reason)}`);
  const left = failures.length - lines.length;
  const rest = left > 0 ? [`and ${numberText(left)} more`] : [];
  const heading = `${title}: ${countText(failures.length, 'failure')}`;
  ui.openOverlay(new TextBox(ui, heading, [...lines, ...rest]));
}
