/** Defines what a control method declares: its schemas, what it does, and the commands that only call it. */

import type { z } from 'zod';

/**
 * What a method can do to data. `reads` changes nothing. The effect of `changes` can be reversed by another call.
 * `destroys` deletes data permanently, or ends a protection of data.
 */
export type Danger = 'reads' | 'changes' | 'destroys';

export interface MethodDeclaration {
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
  /** What the method does, in the imperative and without a period. It is also the summary of its command. */
  readonly summary: string;
  readonly danger: Danger;
  readonly commands?: readonly SimpleCommand[];
}

/**
 * A command that calls one method and shows its answer. Its options, their types and their limits are derived from the
 * schema of the parameters. In templates, `{user}` is the argument or the option of that name as typed, and
 * `{key|in use}` has a text for an absent one.
 */
export interface SimpleCommand {
  /** Topic, name and arguments, as commander reads them: `admin users add <user>`. */
  readonly usage: string;
  /** Replaces the summary of the method. Needed if several commands call it. */
  readonly summary?: string;
  /** Sentences that follow the summary in the help of the command. */
  readonly more?: string;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** The parameters of arguments with another name than the parameter: `{ name: 'user' }`. */
  readonly members?: Readonly<Record<string, string>>;
  /** The parameters that are options, each with its description. */
  readonly options?: Readonly<Record<string, string | SimpleOption>>;
  /** Parameters with a fixed value, such as `{ disabled: true }` for `admin users disable`. */
  readonly set?: Readonly<Record<string, boolean | string>>;
  /** Template of what the command destroys, in the imperative: `remove user {user}`. */
  readonly destroys?: string;
  /** The parameters for which the command destroys something; absent if it always does. */
  readonly destroysIf?: Readonly<Record<string, number | boolean>>;
  /** Template of the line that reports success, for a method whose answer shows nothing. */
  readonly done?: string;
  /** Template of the line that replaces `done` if the answer is `{ removed: false }`. */
  readonly absent?: string;
  /** Remark for an answer whose list is empty. */
  readonly none?: string;
}

export interface SimpleOption {
  readonly summary: string;
  /** Name of the value in the help, such as `address` in `--email <address>`. */
  readonly value?: string;
  /** Text that the option has if it is absent. */
  readonly default?: string;
}
