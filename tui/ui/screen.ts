/** The interface of a screen: its data, its actions and how it is drawn. */

import type { Area } from '../widgets/layout.ts';
import type { Movable } from '../widgets/list-model.ts';
import type { Actions } from '../commands/command.ts';
import type { ActionsFor, Scope } from '../commands/screen-commands.ts';
import type { Look } from '../theme/look.ts';

/** An entry of the copy menu: its name, and the text that it copies to the clipboard. */
export interface Copyable {
  readonly name: string;
  readonly text: string | (() => Promise<string>);
}

/**
 * A screen is created once, stays on the stack while other screens are opened from it, and is closed when the user
 * leaves it. It reads data only between `show` and `hide`. It calls `ui.changes.now()` after a key press and
 * `ui.changes.soon()` after new data.
 */
export interface Screen {
  /** Selects the commands of the screen: a key of SCREEN_COMMANDS. */
  readonly scope: Scope;
  /**
   * The path of the screen from its root, such as `['buckets', 'photos', '2026/07/']`. The names are not yet safe to
   * draw.
   */
  readonly crumbs: readonly string[];
  /** Text at the right of the crumbs. Safe to draw. */
  readonly note?: string | undefined;
  readonly actions: Actions;
  /** The list that the list keys move. If the screen has several lists, this is the focused one. */
  readonly list?: Movable | undefined;
  /** Reads the data of the screen. Called when the screen appears, when the daemon is connected again, and for `r`. */
  show(): void;
  hide(): void;
  close?(): void;
  open?(): void | Promise<void>;
  nextPane?(step: 1 | -1): void;
  /** Closes an inner state of the screen, such as a search or an open detail. Returns whether there was one. */
  back?(): boolean;
  /** Loads all pages of the list, for `G`. */
  loadAll?(signal: AbortSignal): Promise<void>;
  copyables?(): readonly Copyable[];
  /**
   * Called after each draw. Requests missing data of the visible part, except the rows of `list`, which are fetched
   * without it.
   */
  seen?(): void;
  /**
   * Draws at most `area.rows` lines of at most `area.columns` cells. They may contain colours of `look`. Sends no
   * request.
   */
  draw(area: Area, look: Look): readonly string[];
}

/** A screen with an action for each of its commands. Actions of dangerous commands ask for confirmation. */
export type KnownScreen = {
  [S in Scope]: Screen & { readonly scope: S; readonly actions: ActionsFor<S> };
}[Scope];
