/** The interface of a screen: its data, its actions and how it draws itself. */

import type { Area } from '../widgets/layout.ts';
import type { Movable } from '../widgets/list-model.ts';
import type { Actions } from '../commands/command.ts';
import type { ActionsFor, Scope } from '../commands/screen-commands.ts';
import type { Look } from '../theme/look.ts';

/** An entry in the copy menu: its name, and the text that it copies to the clipboard. */
export interface Copyable {
  readonly name: string;
  readonly text: string | (() => Promise<string>);
}

/**
 * A screen stays on the tab's stack while other screens are opened from it, and is closed when the user leaves it. It
 * reads data only between `show` and `hide`. It calls `ui.changes.now()` after a key press and `ui.changes.soon()`
 * after new data.
 */
export interface Screen {
  /** The key in SCREEN_COMMANDS that selects the screen's commands. */
  readonly scope: Scope;
  /**
   * The path from the tab's root to this screen, such as `['buckets', 'photos', '2026/07/']`. The names must be escaped
   * before they are drawn.
   */
  readonly crumbs: readonly string[];
  /** Text to the right of the crumbs. It must be safe to draw. */
  readonly note?: string | undefined;
  readonly actions: Actions;
  /**
   * Whether the screen only shows the result of a finished task. After the user has left it for another tab, the screen
   * is not shown again.
   */
  readonly isOver?: boolean;
  /** The list that the list keys control. If the screen has several lists, this is the focused list. */
  readonly list?: Movable | undefined;
  /**
   * Starts reading the screen's data. Called when the screen appears, when the daemon is connected again, and when the
   * user presses `r`.
   */
  show(): void;
  hide(): void;
  close?(): void;
  open?(): void | Promise<void>;
  nextPane?(step: 1 | -1): void;
  /**
   * Closes an inner state of the screen, such as a search or an open detail. Returns false if no inner state was open.
   */
  back?(): boolean;
  /** Loads all pages of the list when the user presses `G`. */
  loadAll?(signal: AbortSignal): Promise<void>;
  copyables?(): readonly Copyable[];
  /**
   * Called after each draw, to request missing data for the visible part. The rows of `list` are requested separately.
   */
  seen?(): void;
  /**
   * Draws at most `area.rows` lines of at most `area.columns` cells each. The lines may contain the colours of `look`.
   * Sends no request.
   */
  draw(area: Area, look: Look): readonly string[];
}

/**
 * A screen that has an action for each of its commands. The type requires that actions of dangerous commands ask for
 * confirmation.
 */
export type KnownScreen = {
  [S in Scope]: Screen & { readonly scope: S; readonly actions: ActionsFor<S> };
}[Scope];
