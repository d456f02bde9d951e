/** Queues the commands for the writer thread, and selects which of them form the next group. */

import { bucketOf, type Envelope } from './commands/commands.ts';

/**
 * The maximum number of commands in a group. It limits how long a transaction takes, and so how long its first command
 * waits. A bulk write may take as long, so it is a group of its own.
 */
export const MAX_GROUP_COMMANDS = 512;

/**
 * A group takes commands in the order of their arrival. After a group that ended before its last command, the buckets take
 * turns: the buckets of that group come after all others. So a bucket with a costly policy delays a command for another
 * bucket by one group, however many of its own commands wait. The commands of one bucket keep their order.
 */
export class CommandQueue {
  #waiting: Envelope[] = [];
  /** The latest turn of each bucket since the queue was last empty. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #isUnsorted = false;

  add(commands: readonly Envelope[]): void {
    this.#waiting.push(...commands);
  }

  /** Returns the next group, which is empty if no command waits. The commands stay in the queue until `complete`. */
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

  /**
   * Sorts the commands by the turns of their buckets. If the state of the wall clock changed between two commands, all keep
   * their order: it decides which versions have a doubtful date.
   */
  #sort(): void {
    this.#isUnsorted = false;
    const [first] = this.#waiting;
    if (this.#waiting.some(({ clock }) => clock !== first?.clock)) return;
    const turnOf = (command: Envelope) => this.#turns.get(bucketOf(command)) ?? 0;
    this.#waiting.sort((one, other) => turnOf(one) - turnOf(other));
  }
}
