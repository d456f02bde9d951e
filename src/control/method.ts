/**
 * Defines the type of a control method's declaration: its schemas, its effect, and the commands that only call this
 * method.
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
 * A command that calls a single method and prints the result. The types and limits of its options are derived from the
 * schema of the parameters. In templates, `{user}` is replaced by the value of the argument or option `user` as typed.
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
  /**
   * Maps the names of arguments to the names of parameters, for arguments whose name differs, such as `{ name: 'user'
   * }`.
   */
  readonly members?: Readonly<Record<string, string>>;
  /** The parameters that are options, each with its description. */
  readonly options?: Readonly<Record<string, string | SimpleOption>>;
  /** Parameters with a fixed value. For example, `admin users disable` has `{ disabled: true }`. */
  readonly set?: Readonly<Record<string, boolean | string>>;
  /** A template that says what the command destroys, in the imperative mood, such as `remove user {user}`. */
  readonly destroys?: string;
  /** The parameter values for which the command destroys something. If absent, the command always does. */
  readonly destroysIf?: Readonly<Record<string, number | boolean>>;
  /** A template for the success message, if the result of the method contains nothing to print. */
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
  /** The text to use if the user omits the option. */
  readonly default?: string;
}
