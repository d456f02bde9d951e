/** The services that every screen uses: the daemon connection, navigation, questions, messages and the clipboard. */

import type { Clock } from '../../src/base/clock.ts';
import { isAbort } from '../../src/base/errors.ts';
import type { MethodName, Params, Result } from '../../src/control/messages.ts';
import { ConfirmOverlay } from '../widgets/confirm.ts';
import type { Question } from '../commands/command.ts';
import { Keymap } from '../input/keymap.ts';
import { Changes } from '../data/changes.ts';
import type { DaemonLink } from '../data/daemon-link.ts';
import { ActivityLog } from '../data/activity-log.ts';
import { AlertsStore } from '../data/alerts-store.ts';
import { logEarlierActivity } from '../data/earlier-activity.ts';
import { StatusStore } from '../data/status-store.ts';
import { TransfersStore } from '../data/transfers-store.ts';
import type { ObjectPlace } from '../data/place.ts';
import { errorWords } from '../text/error-words.ts';
import type { Look } from '../theme/look.ts';
import type { Themes } from '../theme/themes.ts';
import type { Overlay } from '../widgets/overlay.ts';
import { Router } from './router.ts';
import type { TabName } from './router.ts';
import type { KnownScreen } from './screen.ts';
import { Toasts } from './toasts.ts';

/** The terminal and operating system functions that the dashboard uses. */
export interface Outside {
  /**
   * Copies text to the clipboard and returns the name of the method that worked. Rejects with the reason if no method
   * works.
   */
  copy(text: string): Promise<string>;
  /** Clears the terminal and redraws the whole screen. */
  redraw(): void;
  /** Suspends the dashboard and returns to the shell when the user presses Ctrl-Z. */
  suspend(): void;
  setMouse(on: boolean): void;
  /**
   * Opens the text in the user's editor and returns the saved text. The editor uses the terminal until it exits. `name`
   * is the name of the temporary file.
   */
  edit(text: string, name: string): Promise<string>;
  /** Starts a daemon that keeps running after the dashboard exits. */
  startDaemon(): Promise<void>;
  readonly logFile: string;
  /** The directory that relative paths of downloads and uploads start from. */
  readonly folder: string;
  /** The options that suggested commands need to find the home folder, such as ` --home DIR`. May be empty. */
  readonly homeOption: string;
  /** The user's home directory, which paths show as `~`. Empty if it is unknown. */
  readonly userHome: string;
  /**
   * The file that saves the dashboard's state between sessions: the buckets that the user opened by name, and the
   * theme.
   */
  readonly notesFile: string;
  /** Saves the name of the theme for the next session. */
  noteTheme(name: string): Promise<void>;
}

/**
 * Creates the screens that other screens open. The `app` module implements this interface, because screens that open
 * each other must not import each other.
 */
export interface Screens {
  readonly root: (ui: Ui, tab: TabName) => KnownScreen;
  readonly versions: (ui: Ui, place: ObjectPlace) => KnownScreen;
}

export interface UiOptions {
  readonly clock: Clock;
  readonly link: DaemonLink;
  readonly themes: Themes;
  readonly outside: Outside;
  /** Returns the screen modules, which load after the first frame. */
  readonly screens: () => Screens;
  /** Called when the user quits the dashboard. */
  readonly quit: () => void;
}

/** A running task that the footer shows. */
export interface Work {
  readonly title: string;
  /** The task's progress, such as `40 %` or `3 of 12`. */
  progress?: string;
  readonly abort: AbortController;
  /** What happens to the task if the dashboard exits. Absent if the user need not know. */
  left?: string;
}

export class Ui {
  readonly clock: Clock;
  readonly link: DaemonLink;
  readonly outside: Outside;
  readonly router: Router;
  readonly changes: Changes;
  readonly toasts: Toasts;
  readonly status: StatusStore;
  readonly activity: ActivityLog;
  readonly transfers: TransfersStore;
  readonly alerts: AlertsStore;
  readonly quit: () => void;
  readonly themes: Themes;
  /** The key bindings. These are the defaults until the user's key file has been read. */
  keymap = new Keymap();
  readonly #screens: () => Screens;
  #overlays: Overlay[] = [];
  readonly #works = new Set<Work>();
  #cancelCount: (() => void) | undefined;

  constructor({ clock, link, themes, outside, screens, quit }: UiOptions) {
    this.clock = clock;
    this.link = link;
    this.outside = outside;
    this.quit = quit;
    this.#screens = screens;
    this.themes = themes;
    this.changes = new Changes(clock);
    this.toasts = new Toasts(clock, () => this.changes.now());
    this.status = new StatusStore(link, this.changes);
    this.activity = new ActivityLog(link);
    this.transfers = new TransfersStore(link, clock, this.changes);
    const { status, changes } = this;
    this.alerts = new AlertsStore({ link, clock, status, changes });
    logEarlierActivity({ clock, link, status, activity: this.activity, changes });
    this.router = new Router((tab) => screens().root(this, tab));
    link.onState(() => this.#countDown());
  }

  get look(): Look {
    return this.themes.look;
  }

  /** The topmost dialog, which receives all keys. */
  get overlay(): Overlay | undefined {
    return this.#overlays.at(-1);
  }

  openOverlay(overlay: Overlay): void {
    this.#overlays.push(overlay);
    this.changes.now();
  }

  closeOverlay(overlay: Overlay | undefined = this.overlay): void {
    if (!overlay || !this.#overlays.includes(overlay)) return;
    this.#overlays = this.#overlays.filter((each) => each !== overlay);
    overlay.onClose?.();
    this.changes.now();
  }

  openVersions(place: ObjectPlace): void {
    this.router.open(this.#screens().versions(this, place));
  }

  /** Asks the user a question. Resolves with true if the user answers yes. */
  ask(question: Question): Promise<boolean> {
    return new Promise((resolve) => {
      this.openOverlay(new ConfirmOverlay(this, question, resolve));
    });
  }

  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Result<M>> {
    return this.link.call(method, params, options);
  }

  get works(): readonly Work[] {
    return [...this.#works];
  }

  /** The running tasks that the user should know about before quitting, each with what happens to the task. */
  get leftBehind(): readonly string[] {
    return this.works.flatMap(({ title, left }) => (left === undefined ? [] : `${title}: ${left}`));
  }

  /** Runs a task and shows it in the footer until it ends. The palette command `:stop` aborts it. */
  async work<T>(title: string, run: (work: Work) => Promise<T>): Promise<T> {
    const work: Work = { title, abort: new AbortController() };
    this.#works.add(work);
    this.changes.now();
    try {
      return await run(work);
    } finally {
      this.#works.delete(work);
      this.changes.now();
    }
  }

  /** While the daemon is down, redraws every second, because the header counts down to the next connection attempt. */
  #countDown(): void {
    this.#cancelCount?.();
    if (this.link.state.kind !== 'down') return;
    this.changes.now();
    this.#cancelCount = this.clock.after(1_000, () => this.#countDown());
  }

  /** Runs a function and shows its error as a message on the screen. Never rejects. */
  async attempt(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.notifyError(error);
    }
    this.changes.now();
  }

  /** Returns the error as text, whose commands work when they are pasted. It must be escaped before it is drawn. */
  errorWords(error: unknown): string {
    return errorWords(error, this.outside.homeOption);
  }

  notify(text: string): void {
    this.toasts.add('good', this.look.name(text));
  }

  /** Shows a message about a change that cannot be undone. Ends the offer to undo an earlier change. */
  notifyFinal(text: string): void {
    this.toasts.endOffer();
    this.notify(text);
  }

  /** Shows a message that offers an undo for 30 seconds. After the undo, `undone` is shown. */
  notifyUndoable(text: string, undo: () => Promise<void>, undone?: string): void {
    const safe = undone === undefined ? undefined : this.look.name(undone);
    this.toasts.add('good', this.look.name(text), { undo, undone: safe });
  }

  notifyError(error: unknown): void {
    if (isAbort(error)) return;
    this.toasts.add('bad', this.look.name(this.errorWords(error)));
  }

  /** Shows why a command is not available now. */
  refuse(what: string, why: string): void {
    const text = this.look.name(`${what} is not available: ${why}`);
    this.toasts.add('attention', text, { isRefusal: true });
  }

  warn(text: string): void {
    this.toasts.add('attention', this.look.name(text));
  }
}
