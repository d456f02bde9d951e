/** A command: what can be done, under which key, and how much is at stake. Help, palette and footer are made of them. */

/**
 * 0: nothing is changed, or nothing that matters. 1: can be undone. 2: asked for, with No as the answer at hand.
 * 3: cannot be undone: the name is to be typed.
 */
export type Danger = 0 | 1 | 2 | 3;

export interface Command {
  /** `screen.verb`, such as `jobs.pause`. */
  readonly id: string;
  /** What it does, in the imperative: `pause or resume the job`. */
  readonly title: string;
  /** Names of keys; two with a blank between are pressed one after the other. */
  readonly keys: readonly string[];
  readonly danger?: Danger;
  /** It needs no daemon: all others of a screen are disabled while there is none. */
  readonly offline?: boolean;
  /** The word in the footer, for the few that are shown there while they can be used, the most used first. */
  readonly hint?: string;
}

/** What is asked before a command of danger 2 or 3 is carried out. */
export interface Question {
  readonly title: string;
  /** What will happen: counts, bytes, dates. Safe to draw. */
  readonly facts: readonly string[];
  /** Danger 3: what has to be typed. */
  readonly type?: string;
  /** The same question with the figures of now; absent where they cannot change while it is open. */
  readonly again?: (signal: AbortSignal) => Question | Promise<Question>;
}

/** What a screen does for a command. */
export interface Action {
  /** Why it cannot be done now; undefined when it can. */
  readonly why?: () => string | undefined;
  /** The word in the footer, where it depends on what is chosen. */
  readonly hint?: () => string;
  /** For danger 2 and 3: asked first. Undefined when this time nothing is lost. */
  readonly ask?: (
    count: number | undefined,
  ) => Question | undefined | Promise<Question | undefined>;
  /** `count` is what was typed before the key. */
  readonly run: (count: number | undefined) => void | Promise<void>;
}

export type Actions = Readonly<Record<string, Action>>;
