/** Queues the commands for the writer thread, and selects the commands of the next group. */

import { bucketOf, type Envelope } from './commands/commands.ts';

/**
 * The maximum number of commands in a group. It limits the duration of a transaction, and so how long its first command
 * waits. A bulk write can take as long as a whole group, so it forms its own group.
 */
export const MAX_GROUP_COMMANDS = 512;

/**
 * Forms groups of commands in the order of their arrival. If a group ended before its last command, the buckets of that
 * group move behind all other buckets. So a bucket with an expensive policy delays commands for other buckets by one
 * group at most, regardless of how many of its commands are queued. The commands of one bucket keep their order.
 */
export class CommandQueue {
  #waiting: Envelope[] = [];
  /** The latest turn of each bucket since the queue was last empty. A bucket with a lower turn comes first. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #isUnsorted = false;

  add(commands: readonly Envelope[]): void {
    this.#waiting.push(...commands);
  }

  /**
   * Returns the next group; it is empty if the queue is empty. The commands stay in the queue until `complete` is
   * called.
   */
  nextGroup(): readonly Envelope[] {
    if (this.#isUnsorted) this.#sort();
    const group = this.#waiting.slice(0, MAX_GROUP_COMMANDS);
    const bulk = group.findIndex(({ name }) => name === 'putObjects');
    return bulk < 0 ? group : group.slice(0, Math.max(1, bulk));
  }

  /** Removes the first `count` commands of the group from the queue, and returns them. */
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
   * Sorts the queued commands by the turns of their buckets. If the state of the wall clock changed between two
   * commands, all commands keep their order, because that state decides which versions may have a wrong date.
   */
  #sort(): void {
    this.#isUnsorted = false;
    const [first] = this.#waiting;
    if (this.#waiting.some(({ clock }) => clock !== first?.clock)) return;
    const turnOf = (command: Envelope) => this.#turns.get(bucketOf(command)) ?? 0;
    this.#waiting.sort((one, other) => turnOf(one) - turnOf(other));
  }
}
