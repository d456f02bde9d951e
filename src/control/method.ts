/**
 * Defines the declaration of a control method: its schemas, its effect, and the commands that only call this method.
 */

import type { z } from 'zod';

/**
 * The effect of a method on data. `reads` changes nothing. `changes` has an effect that another call can reverse.
 * `destroys` deletes data permanently or ends the protection of data.
 */
export type Danger = 'reads' | 'changes' | 'destroys';

export interface MethodDeclaration {
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
  /** A summary in the imperative mood, without a period. It is also the summary of the method's command. */
  readonly summary: string;
  readonly danger: Danger;
  readonly commands?: readonly SimpleCommand[];
}

/**
 * A command that calls a single method and prints the result. Its options with their types and limits are derived from
 * the schema of the parameters. In templates, `{user}` is replaced by the argument or option of that name as typed.
 * `{key|in use}` is replaced by `in use` if `key` is absent.
 */
export interface SimpleCommand {
  /** The topic, name and arguments in commander syntax, such as `admin users add <user>`. */
  readonly usage: string;
  /**
   * The summary of the command, if it differs from the summary of the method. Required if several commands call the
   * method.
   */
  readonly summary?: string;
  /** Further sentences that follow the summary in the help of the command. */
  readonly more?: string;
  /** Example command lines, in full. */
  readonly examples: readonly string[];
  /** The parameters of those arguments that have another name than the parameter, such as `{ name: 'user' }`. */
  readonly members?: Readonly<Record<string, string>>;
  /** The parameters that are options, each with its description. */
  readonly options?: Readonly<Record<string, string | SimpleOption>>;
  /** Parameters with a fixed value. For example, `admin users disable` has `{ disabled: true }`. */
  readonly set?: Readonly<Record<string, boolean | string>>;
  /** A template that says what the command destroys, in the imperative mood, such as `remove user {user}`. */
  readonly destroys?: string;
  /** The parameter values for which the command destroys something. If absent, the command always does. */
  readonly destroysIf?: Readonly<Record<string, number | boolean>>;
  /** A template for the success message of a method whose result contains nothing to print. */
  readonly done?: string;
  /** A template that replaces `done` if the result is `{ removed: false }`. */
  readonly absent?: string;
  /** The message for a result with an empty list. */
  readonly none?: string;
}

export interface SimpleOption {
  readonly summary: string;
  /** The name of the option's value in the help, such as `address` in `--email <address>`. */
  readonly value?: string;
  /** The text that the option has if the user omits it. */
  readonly default?: string;
}
