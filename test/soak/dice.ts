/** Chances from a seed: the same seed throws the same numbers. */

import { randomFrom } from '../helpers/tree.ts';

export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  between(least: number, most: number): number {
    return least + this.#random() * (most - least);
  }

  /** Undefined where there is nothing to pick from. */
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  /** One of the names, each as often as its weight says. */
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
