/** A command: an operation with its keys and its risk. Help, palette and footer are generated from commands. */

/**
 * The risk of a command. 0: it changes nothing important. 1: it can be undone. 2: it asks for confirmation, with No
 * preselected. 3: it cannot be undone, and the user must type the name.
 */
export type Danger = 0 | 1 | 2 | 3;

/** The kinds of hints in the footer. If not all hints fit, the footer omits those of the first kinds first. */
export const HINT_KINDS = ['general', 'movement', 'action', 'open', 'help'] as const;
export type HintKind = (typeof HINT_KINDS)[number];

interface CommandBase {
  /** The id of the command in the form `screen.verb`, such as `jobs.pause`. */
  readonly id: string;
  /** What the command does, in the imperative: `pause or resume the job`. */
  readonly title: string;
  /** Names of keys. Two names with a blank between them are pressed one after the other. */
  readonly keys: readonly string[];
  /** Whether the command works without a daemon. Other commands of a screen are disabled while the daemon is down. */
  readonly offline?: boolean;
  /**
   * The word in the footer. Only a few commands have one. The footer shows them while they are available, in their
   * order.
   */
  readonly hint?: string;
  /** Decides when the footer omits the hint. The default is `action`. */
  readonly hintKind?: HintKind;
}

export interface SafeCommand extends CommandBase {
  readonly danger?: Extract<Danger, 0 | 1>;
}

export interface DangerousCommand extends CommandBase {
  readonly danger: Extract<Danger, 2 | 3>;
}

export type Command = SafeCommand | DangerousCommand;

/** The question that precedes a command of danger 2 or 3. */
export interface Question {
  readonly title: string;
  /** The effects of the command: counts, bytes and dates. Safe to draw. */
  readonly facts: readonly string[];
  /** For danger 3, the text that the user must type. */
  readonly type?: string;
  /** Returns the question with current figures. Absent if they cannot change while the question is open. */
  readonly again?: (signal: AbortSignal) => Question | Promise<Question>;
}

interface ActionBase {
  /** Returns why the action is not available now, or undefined if it is. */
  readonly why?: () => string | undefined;
  /** Returns the word in the footer, if it depends on the selected item. */
  readonly hint?: () => string;
  /** Runs the action. `count` is the number that was typed before the key. */
  readonly run: (count: number | undefined) => void | Promise<void>;
}

/** The action of a command of danger 0 or 1. */
export interface SafeAction extends ActionBase {
  readonly ask?: undefined;
}

/** An action that asks for confirmation. `ask` returns undefined if no data is lost this time. */
export interface AskingAction extends ActionBase {
  readonly ask: (count: number | undefined) => Question | undefined | Promise<Question | undefined>;
}

/** An action that opens a form. The form asks for confirmation, because the effects depend on its values. */
export interface FormAction extends ActionBase {
  readonly ask?: undefined;
  readonly asks: 'in its form';
}

export type Action = SafeAction | AskingAction | FormAction;

export type Actions = Readonly<Record<string, Action>>;

/** The actions of a list of commands. For a command of danger 2 or 3, the compiler accepts only an action that asks. */
export type ActionsOf<List extends readonly Command[]> = {
  readonly [C in List[number] as C['id']]: C extends DangerousCommand
    ? AskingAction | FormAction
    : SafeAction;
};

/** The part of the controller that help and the palette use. */
export interface CommandRunner {
  /** Returns the commands of the current screen. */
  commands(): readonly Command[];
  /** Returns why a command is not available now, or undefined if it is. */
  whyNot(command: Command): string | undefined;
  run(command: Command, count: number | undefined): Promise<void>;
  /** Runs a chosen action. Never rejects. */
  perform(run: () => void | Promise<void>): Promise<void>;
}
