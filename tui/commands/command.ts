/**
 * A command is an operation with its keys and its risk. The help, the palette and the footer are generated from the
 * commands.
 */

/**
 * The risk of a command. 0: it changes nothing important. 1: it can be undone. 2: it asks for confirmation, with No
 * preselected. 3: it cannot be undone, and the user must type the name of the affected item.
 */
export type Danger = 0 | 1 | 2 | 3;

/**
 * The kinds of key hints in the footer, least important first. If not all hints fit, the footer omits them in this
 * order.
 */
export const HINT_KINDS = ['general', 'movement', 'action', 'open', 'help'] as const;
export type HintKind = (typeof HINT_KINDS)[number];

interface CommandBase {
  /** The command's id in the form `screen.verb`, such as `jobs.pause`. */
  readonly id: string;
  /** The effect of the command, in the imperative: `pause or resume the job`. */
  readonly title: string;
  /** The names of the command's keys. Two names separated by a space are pressed one after the other. */
  readonly keys: readonly string[];
  /** Whether the command works without a daemon. While the daemon is down, all other commands are disabled. */
  readonly offline?: boolean;
  /**
   * The command's word in the footer. The footer shows the hints of the available commands in the order of the
   * commands. Most commands have no hint.
   */
  readonly hint?: string;
  /** Determines when the footer omits the hint. The default is `action`. */
  readonly hintKind?: HintKind;
}

export interface SafeCommand extends CommandBase {
  readonly danger?: Extract<Danger, 0 | 1>;
}

export interface DangerousCommand extends CommandBase {
  readonly danger: Extract<Danger, 2 | 3>;
}

export type Command = SafeCommand | DangerousCommand;

/** The question before a command of danger 2 or 3. */
export interface Question {
  readonly title: string;
  /** The effects of the command, with counts, bytes and dates. The texts must be safe to draw. */
  readonly facts: readonly string[];
  /** For danger 3, the text that the user must type. */
  readonly type?: string;
  /** Returns the question with current figures. Absent if the figures cannot change while the question is open. */
  readonly again?: (signal: AbortSignal) => Question | Promise<Question>;
}

interface ActionBase {
  /** Returns why the action is not available now, or undefined if it is. */
  readonly why?: () => string | undefined;
  /** Returns the action's word in the footer, if the word depends on the selected item. */
  readonly hint?: () => string;
  /** Runs the action. `count` is the number that the user typed before the key. */
  readonly run: (count: number | undefined) => void | Promise<void>;
}

/** The action for a command of danger 0 or 1, which needs no confirmation. */
export interface SafeAction extends ActionBase {
  readonly ask?: undefined;
}

/**
 * An action that asks for confirmation. `ask` returns undefined if no data would be lost, so that the action runs
 * without a question.
 */
export interface AskingAction extends ActionBase {
  readonly ask: (count: number | undefined) => Question | undefined | Promise<Question | undefined>;
}

/** An action that opens a form. The form asks for confirmation itself, because the effects depend on its values. */
export interface FormAction extends ActionBase {
  readonly ask?: undefined;
  readonly asks: 'in its form';
}

export type Action = SafeAction | AskingAction | FormAction;

export type Actions = Readonly<Record<string, Action>>;

/**
 * The actions for a list of commands. For a command of danger 2 or 3, the compiler accepts only an action that asks for
 * confirmation.
 */
export type ActionsOf<List extends readonly Command[]> = {
  readonly [C in List[number] as C['id']]: C extends DangerousCommand
    ? AskingAction | FormAction
    : SafeAction;
};

/** The part of the controller that the help and the palette use. */
export interface CommandRunner {
  /** Returns the commands on the current screen. */
  commands(): readonly Command[];
  /** Returns why a command is not available now, or undefined if it is. */
  whyNot(command: Command): string | undefined;
  run(command: Command, count: number | undefined): Promise<void>;
  /** Runs an action that the user selected. Never rejects. */
  perform(run: () => void | Promise<void>): Promise<void>;
}
