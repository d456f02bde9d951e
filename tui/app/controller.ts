/** Handles the keys that work on every screen and in every list. Screens handle the other keys. */

import type { Movable } from '../widgets/list-model.ts';
import { DiagnosticsOverlay } from './diagnostics.ts';
import { MenuOverlay } from '../widgets/menu.ts';
import { PromptOverlay } from '../widgets/prompt.ts';
import { HelpOverlay } from './help.ts';
import { PaletteOverlay } from './palette.ts';
import type { Action, Actions, Command, CommandRunner } from '../commands/command.ts';
import { Dispatcher } from '../input/dispatcher.ts';
import { shownKey } from '../input/key-names.ts';
import { DOWN_COMMANDS, UNDO, withOwnKeys } from '../commands/passing-commands.ts';
import { live } from '../commands/live.ts';
import { TypeAhead } from '../input/type-ahead.ts';
import { TABS } from '../ui/router.ts';
import type { Ui } from '../ui/ui.ts';

/** Pressing Ctrl-C three times within this period always quits. */
const CTRL_C_WITHIN_MS = 2_000;

export class Controller implements CommandRunner {
  readonly #ui: Ui;
  readonly dispatcher: Dispatcher;
  readonly #typeAhead: TypeAhead;
  #interrupts: number[] = [];

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#typeAhead = new TypeAhead(ui.clock);
    ui.changes.subscribe(() => this.#typeAhead.release());
    this.dispatcher = new Dispatcher(
      {
        commands: () => this.commands(),
        run: (command, count) => void this.run(command, count),
        chooseScreen: (digit) => this.#chooseScreen(digit),
        isMotion: (key) => ui.keymap.isMotion(key),
        hasList: () => ui.router.top.list !== undefined,
      },
      ui.clock,
    );
  }

  /** Returns the commands that are available on the current screen. */
  commands(): readonly Command[] {
    const { keymap, router } = this.#ui;
    const { top } = router;
    const canUndo = this.#ui.toasts.undoable !== undefined;
    const down = this.#ui.link.state.kind === 'down' ? DOWN_COMMANDS : [];
    const own = withOwnKeys(
      keymap.with([...(canUndo ? [UNDO] : []), ...down]),
      keymap.commandsOf(top.scope, top.list !== undefined),
    );
    // If nothing can be undone, the screen may use the key of undo. On other screens, the key reports that nothing can
    // be undone.
    const isKept = ({ id, keys }: Command) => id !== UNDO.id || keys.length > 0;
    return canUndo ? own : withOwnKeys(own, keymap.with([UNDO])).filter(isKept);
  }

  /** Returns why a command is not available now, or undefined if it is. */
  whyNot(command: Command): string | undefined {
    const action = this.#actionOf(command);
    if (!action) return 'not on this screen';
    const { top } = this.#ui.router;
    const needsDaemon = command.offline !== true && top.actions[command.id] === action;
    return (needsDaemon ? this.#ui.link.whyDown : undefined) ?? action.why?.();
  }

  /** Handles a key. If the terminal is too small, `isShown` is false. Keys must then not change the hidden screen. */
  press(key: string, isShown = true): void {
    if (!isShown) this.#discardTyped();
    if (key === 'ctrl-c') return this.#interrupt(isShown);
    if (key === 'ctrl-l') return this.#ui.outside.redraw();
    if (key === 'ctrl-z') return this.#ui.outside.suspend();
    if (!isShown) return this.#pressUnseen(key);
    this.#typeAhead.take(() => this.#type(key));
  }

  /**
   * Handles keys while the screen is hidden. A hidden form may use `q`, and quitting may ask a question. In these
   * cases, only three Ctrl-C quit.
   */
  #pressUnseen(key: string): void {
    const { overlay, leftBehind } = this.#ui;
    if (key === 'q' && !overlay && leftBehind.length === 0) this.#ui.quit();
  }

  /** Discards keys that wait for a command to end, a typed count, and the start of a key sequence. */
  #discardTyped(): void {
    this.#typeAhead.forget();
    this.dispatcher.reset();
  }

  #type(key: string): void {
    const { overlay } = this.#ui;
    if (overlay) {
      this.dispatcher.reset();
      overlay.onKey(key);
    } else {
      this.dispatcher.press(key);
    }
    this.#ui.changes.now();
  }

  paste(text: string, isShown = true): void {
    if (!isShown) return this.#discardTyped();
    this.#typeAhead.take(() => {
      const { overlay } = this.#ui;
      if (overlay?.onPaste) overlay.onPaste(text);
      else this.#ui.warn('pasted text is ignored here; open a field first');
    });
  }

  async run(command: Command, count: number | undefined): Promise<void> {
    const ui = this.#ui;
    const works = ui.works.length;
    const hold = this.#typeAhead.command(() => {
      return ui.overlay !== undefined || ui.works.length > works;
    });
    await this.perform(async () => {
      const action = this.#actionOf(command);
      const why = this.whyNot(command);
      ui.toasts.outdate();
      if (!action || why !== undefined) {
        return ui.refuse(shownKey(command.keys[0] ?? command.title), why ?? '');
      }
      if (action.ask) {
        const question = await hold.over(action.ask(count));
        if (question && !(await ui.ask(question))) return;
      }
      await hold.over(action.run(count));
    });
    hold.end();
  }

  /**
   * Runs an action that the user selected. If the action leaves the screen, messages about that screen are removed.
   * Never rejects.
   */
  async perform(run: () => void | Promise<void>): Promise<void> {
    const { router, toasts } = this.#ui;
    const [top, shown] = [router.top, toasts.shown];
    await this.#ui.attempt(run);
    if (router.top !== top) toasts.leave(shown);
  }

  #actionOf({ id }: Command): Action | undefined {
    return this.#ui.router.top.actions[id] ?? this.#everywhere[id] ?? this.#onList[id];
  }

  #interrupt(isShown: boolean): void {
    const now = this.#ui.clock.monotonic();
    this.#typeAhead.forget();
    this.#interrupts = [...this.#interrupts.filter((at) => now - at < CTRL_C_WITHIN_MS), now];
    if (this.#interrupts.length >= 3) return this.#ui.quit();
    if (!isShown) return;
    if (this.#ui.overlay) this.#ui.closeOverlay();
    else this.#ui.warn('q goes back and quits at the top; three Ctrl-C quit at once');
  }

  #chooseScreen(digit: number): { readonly undo: () => void } | undefined {
    const tab = TABS[digit - 1];
    if (tab === undefined) return undefined;
    const undo = this.#ui.router.choose(tab);
    this.#ui.toasts.leave(this.#ui.toasts.shown);
    return { undo };
  }

  readonly #everywhere: Actions = {
    'daemon.start': { run: () => this.#startDaemon() },
    'daemon.diagnostics': { run: () => this.#ui.openOverlay(new DiagnosticsOverlay(this.#ui)) },
    'app.undo': {
      why: () => (this.#ui.toasts.undoable ? undefined : 'there is nothing to undo'),
      run: () => this.#undo(),
    },
    'app.help': { run: () => this.#ui.openOverlay(new HelpOverlay(this.#ui, this)) },
    'app.palette': { run: () => this.#ui.openOverlay(new PaletteOverlay(this.#ui, this)) },
    'app.open': {
      // Enter is refused until rows are loaded, because it must not open a row that the user has not seen.
      why: () =>
        this.#ui.router.top.list?.isUnread === true ? 'the list is still loading' : undefined,
      run: () => this.#ui.router.top.open?.(),
    },
    'app.back': { run: () => this.#back() },
    'app.pane': { run: () => this.#ui.router.top.nextPane?.(1) },
    'app.previousPane': { run: () => this.#ui.router.top.nextPane?.(-1) },
    'app.refresh': { run: () => this.#refresh() },
    'app.redraw': { run: () => this.#ui.outside.redraw() },
    'app.suspend': { run: () => this.#ui.outside.suspend() },
    'app.quit': { run: () => this.#quit() },
  };

  readonly #onList: Actions = {
    'list.down': this.#list((list, count = 1) => list.moveBy(count)),
    'list.up': this.#list((list, count = 1) => list.moveBy(-count)),
    'list.first': this.#list((list, count) => {
      if (count === undefined) list.moveTo(0);
      else list.moveToNumber(count);
    }),
    'list.last': { run: (count) => this.#last(count) },
    'list.halfDown': this.#list((list, count = 1) => list.moveByPages(count / 2)),
    'list.halfUp': this.#list((list, count = 1) => list.moveByPages(-count / 2)),
    'list.pageDown': this.#list((list, count = 1) => list.moveByPages(count)),
    'list.pageUp': this.#list((list, count = 1) => list.moveByPages(-count)),
    'list.mark': this.#list((list, count = 1) => {
      for (let each = 0; each < Math.min(count, list.rows.count); each += 1) list.toggleMark();
    }),
    'list.markAll': this.#list((list) => list.markAll()),
    'list.unmark': this.#list((list) => void list.clearMarks()),
    'list.filter': this.#list((list) => this.#filter(list)),
    'list.sort': {
      ...this.#list((list) => this.#sort(list)),
      why: () =>
        this.#ui.router.top.list?.orderNames.length ? undefined : 'this list cannot be sorted',
    },
    'list.copy': { run: () => this.#copy() },
  };

  #list(run: (list: Movable, count: number | undefined) => void): Action {
    return {
      run: (count) => {
        const { list } = this.#ui.router.top;
        if (list) run(list, count);
      },
    };
  }

  async #last(count: number | undefined): Promise<void> {
    const ui = this.#ui;
    const { top } = ui.router;
    if (!top.list) return;
    if (count !== undefined) return top.list.moveToNumber(count);
    if (top.loadAll && top.list.rows.more) {
      await ui.work('reading all rows', (work) => top.loadAll!(work.abort.signal));
    }
    top.list.moveToLast();
  }

  #filter(list: Movable): void {
    const before = list.filter?.text ?? '';
    list.setFilter('');
    this.#ui.openOverlay(
      new PromptOverlay(this.#ui, {
        label: '/',
        earlier: before,
        onChange: (text) => list.setFilter(text),
        onCancel: () => list.setFilter(before),
      }),
    );
  }

  #sort(list: Movable): void {
    const items = list.orderNames.map((name) => {
      return { title: `by ${name}`, run: () => list.orderBy(name) };
    });
    this.#ui.openOverlay(new MenuOverlay(this.#ui, 'Sort', items));
  }

  #copy(): void {
    const ui = this.#ui;
    const copyables = ui.router.top.copyables?.() ?? [];
    if (copyables.length === 0) return ui.warn('there is nothing here to copy');
    const items = copyables.map(({ name, text }) => {
      return {
        title: name,
        run: async () => {
          const way = await ui.outside.copy(typeof text === 'string' ? text : await text());
          ui.notify(`copied ${name} (${way})`);
        },
      };
    });
    ui.openOverlay(new MenuOverlay(ui, 'Copy', items));
  }

  /** Closes one level: the filter, then the marks, then an inner state of the screen, then the screen. */
  #back(): void {
    const { router, toasts } = this.#ui;
    const { top } = router;
    if (top.list?.filter) return top.list.setFilter('');
    if (top.list?.clearMarks()) return;
    if (top.back?.() || router.back()) return;
    toasts.dismiss();
  }

  #refresh(): void {
    const { link, router, status } = this.#ui;
    if (!link.isUp) return void link.connect();
    void status.refresh();
    router.top.show();
  }

  async #quit(): Promise<void> {
    const ui = this.#ui;
    if (ui.router.top.back?.() || ui.router.back()) return;
    const ask = () => {
      const { leftBehind } = ui;
      const facts = leftBehind.length > 0 ? leftBehind : ['The task has ended.'];
      return { title: 'Quit while this is running?', facts };
    };
    if (ui.leftBehind.length === 0 || (await ui.ask(await live(ask)))) ui.quit();
  }

  async #startDaemon(): Promise<void> {
    const ui = this.#ui;
    await ui.work('starting the daemon', () => ui.outside.startDaemon());
    await ui.link.connect();
  }

  async #undo(): Promise<void> {
    const toast = this.#ui.toasts.undoable;
    if (!toast?.undo) return;
    const { whyDown } = this.#ui.link;
    // The undo remains available, because the daemon may be back before the undo expires.
    if (whyDown !== undefined) throw new Error(`undo: ${whyDown}`);
    this.#ui.toasts.remove(toast);
    await this.#ui.work(`undoing: ${toast.text}`, toast.undo);
    this.#ui.notify(toast.undone ?? `undone: ${toast.text}`);
  }
}
