/** The commands that wait for the writer thread, and which of them form the next group. */

import { bucketOf, type Envelope } from './commands/commands.ts';

/** Bounds how long one transaction can get, and so how long its first command waits. A bulk write, which may be as long, is alone. */
export const MAX_GROUP_COMMANDS = 512;

/**
 * A group takes commands in the order of their arrival. After a group that ended before its last command, the buckets
 * take turns: those of that group are behind all others. So a bucket with a costly policy delays a command for another
 * bucket by one group, however many of its own commands wait. The commands of one bucket keep their order.
 */
export class CommandQueue {
  #waiting: Envelope[] = [];
  /** The latest turn of each bucket since commands wait. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #isUnsorted = false;

  add(commands: readonly Envelope[]): void {
    this.#waiting.push(...commands);
  }

  /** Empty when no command waits. The commands stay in the queue until `complete`. */
  nextGroup(): readonly Envelope[] {
    if (this.#isUnsorted) this.#sort();
    const group = this.#waiting.slice(0, MAX_GROUP_COMMANDS);
    const bulk = group.findIndex(({ name }) => name === 'putObjects');
    return bulk < 0 ? group : group.slice(0, Math.max(1, bulk));
  }

  /** Removes the first `count` commands of the group and returns them. */
  complete(group: readonly Envelope[], count: number): readonly Envelope[] {
    const completed = this.#waiting.splice(0, count);
    if (this.#waiting.length === 0) {
      this.#turns.clear();
    } else if (count < group.length) {
      this.#turn += 1;
      for (const command of completed) this.#turns.set(bucketOf(command), this.#turn);
      this.#isUnsorted = true;
    }
    return completed;
  }

  /** Commands from before and after a jump of the wall clock keep their order: it decides which versions are in doubt. */
  #sort(): void {
    this.#isUnsorted = false;
    const [first] = this.#waiting;
    if (this.#waiting.some(({ clock }) => clock !== first?.clock)) return;
    const turnOf = (command: Envelope) => this.#turns.get(bucketOf(command)) ?? 0;
    this.#waiting.sort((one, other) => turnOf(one) - turnOf(other));
  }
}
