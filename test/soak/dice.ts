/** Generates random numbers from a seed. The same seed always produces the same numbers. */

import { randomFrom } from '../helpers/tree.ts';

export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** Returns a random integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  between(least: number, most: number): number {
    return least + this.#random() * (most - least);
  }

  /** Returns a random element, or undefined if the list is empty. */
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  /** Returns a random name. The probability of each name is proportional to its weight. */
  weighed<T extends string>(weights: Readonly<Record<T, number>>): T {
    const names = Object.keys(weights) as T[];
    let left = this.#random() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    throw new RangeError('throw dice: no weights');
  }
}
