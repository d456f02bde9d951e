/** A command: what can be done, under which key, and how much is at stake. Help, palette and footer are made of them. */

/**
 * 0: nothing is changed, or nothing that matters. 1: can be undone. 2: asked for, with No as the answer at hand.
 * 3: cannot be undone: the name is to be typed.
 */
export type Danger = 0 | 1 | 2 | 3;

interface CommandBase {
  /** `screen.verb`, such as `jobs.pause`. */
  readonly id: string;
  /** What it does, in the imperative: `pause or resume the job`. */
  readonly title: string;
  /** Names of keys; two with a blank between are pressed one after the other. */
  readonly keys: readonly string[];
  /** It needs no daemon: all others of a screen are disabled while there is none. */
  readonly offline?: boolean;
  /** The word in the footer, for the few that are shown there while they can be used, the most used first. */
  readonly hint?: string;
}

export interface SafeCommand extends CommandBase {
  readonly danger?: Extract<Danger, 0 | 1>;
}

export interface DangerousCommand extends CommandBase {
  readonly danger: Extract<Danger, 2 | 3>;
}

export type Command = SafeCommand | DangerousCommand;

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

interface ActionBase {
  /** Why it cannot be done now; undefined when it can. */
  readonly why?: () => string | undefined;
  /** The word in the footer, where it depends on what is chosen. */
  readonly hint?: () => string;
  /** `count` is what was typed before the key. */
  readonly run: (count: number | undefined) => void | Promise<void>;
}

/** What a screen does for a command of danger 0 or 1. */
export interface SafeAction extends ActionBase {
  readonly ask?: undefined;
}

/** It asks first. Undefined when this time nothing is lost. */
export interface AskingAction extends ActionBase {
  readonly ask: (count: number | undefined) => Question | undefined | Promise<Question | undefined>;
}

/** It opens a form, which asks before it is sent: what is lost depends on what is typed. */
export interface FormAction extends ActionBase {
  readonly ask?: undefined;
  readonly asks: 'in its form';
}

export type Action = SafeAction | AskingAction | FormAction;

export type Actions = Readonly<Record<string, Action>>;

/** The actions of a list of commands. The compiler refuses one of danger 2 or 3 that does not ask. */
export type ActionsOf<List extends readonly Command[]> = {
  readonly [C in List[number] as C['id']]: C extends DangerousCommand
    ? AskingAction | FormAction
    : SafeAction;
};

/** What help and the palette use of the controller. */
export interface CommandRunner {
  /** The commands of the screen that is shown. */
  commands(): readonly Command[];
  /** Why a command cannot be carried out now; undefined when it can. */
  whyNot(command: Command): string | undefined;
  run(command: Command, count: number | undefined): Promise<void>;
  /** Does what was chosen. Never rejects. */
  perform(run: () => void | Promise<void>): Promise<void>;
}
