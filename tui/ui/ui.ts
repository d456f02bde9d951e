/** What every screen is given: the daemon, the way to other places, questions, messages and the clipboard. */

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
import { logEarlierRounds } from '../data/earlier-rounds.ts';
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

/** What the dashboard asks of the terminal and of this machine. */
export interface Outside {
  /** Puts a text into the clipboard; says by which way, or rejects with why not. */
  copy(text: string): Promise<string>;
  /** Draws everything anew. */
  redraw(): void;
  /** Ctrl-Z. */
  suspend(): void;
  setMouse(on: boolean): void;
  /** The text as the user's own editor saved it, which has the terminal meanwhile; `name` is the file's. */
  edit(text: string, name: string): Promise<string>;
  /** Starts a daemon that outlives the dashboard. */
  startDaemon(): Promise<void>;
  readonly logFile: string;
  /** Where downloads go and uploads come from unless a path is absolute. */
  readonly folder: string;
  /** Written as `~` before the paths in it; empty where none is known. */
  readonly userHome: string;
  /** Small things that are kept between two sessions: buckets that were opened, typed commands. */
  readonly notesFile: string;
  /** Keeps the theme for the next session. */
  noteTheme(name: string): Promise<void>;
}

/** Creates screens that others open. `app` has them, since some screens lead to each other. */
export interface Screens {
  readonly root: (ui: Ui, tab: TabName) => KnownScreen;
  readonly versions: (ui: Ui, place: ObjectPlace) => KnownScreen;
}

export interface UiOptions {
  readonly clock: Clock;
  readonly link: DaemonLink;
  readonly themes: Themes;
  readonly outside: Outside;
  /** They are loaded when the first one is shown. */
  readonly screens: () => Screens;
  /** Called once, when the user is done. */
  readonly quit: () => void;
}

/** What is going on, shown in the footer. */
export interface Work {
  readonly title: string;
  /** `40 %`, `3 of 12`. */
  progress?: string;
  readonly abort: AbortController;
  /** What becomes of it when the dashboard is left; absent where nobody needs to know. */
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
  /** Replaced when the user's own keys were read. */
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
    logEarlierRounds({ clock, link, status, activity: this.activity, changes });
    this.router = new Router((tab) => screens().root(this, tab));
    link.onState(() => this.#countDown());
  }

  get look(): Look {
    return this.themes.look;
  }

  /** The one on top takes the keys. */
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

  /** Resolves with whether it was answered with yes. */
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

  /** What is at work that whoever leaves should know of, and what becomes of it then. */
  get leftBehind(): readonly string[] {
    return this.works.flatMap(({ title, left }) => (left === undefined ? [] : `${title}: ${left}`));
  }

  /** Does something that takes time, shown in the footer until it has ended; `x` in the palette's `:stop` ends it. */
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

  /** While there is no daemon, the header counts the seconds until the next try. */
  #countDown(): void {
    this.#cancelCount?.();
    if (this.link.state.kind !== 'down') return;
    this.changes.now();
    this.#cancelCount = this.clock.after(1_000, () => this.#countDown());
  }

  /** Does what a command asks for, and tells when it cannot be done. Never rejects. */
  async attempt(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.notifyError(error);
    }
    this.changes.now();
  }

  notify(text: string): void {
    this.toasts.add('good', this.look.name(text));
  }

  /** Shown together with the key of the undo, which is possible for 30 s. `undone` is shown after it. */
  notifyUndoable(text: string, undo: () => Promise<void>, undone?: string): void {
    const safe = undone === undefined ? undefined : this.look.name(undone);
    this.toasts.add('good', this.look.name(text), { undo, undone: safe });
  }

  notifyError(error: unknown): void {
    if (isAbort(error)) return;
    this.toasts.add('bad', this.look.name(errorWords(error)));
  }

  /** A command cannot be carried out now, for this reason. */
  refuse(what: string, why: string): void {
    const text = this.look.name(`${what} is not available: ${why}`);
    this.toasts.add('attention', text, { isRefusal: true });
  }

  warn(text: string): void {
    this.toasts.add('attention', this.look.name(text));
  }
}
