/** A place that can be looked at: what it knows, what can be done there, and how it is drawn. */

import type { Area } from '../widgets/layout.ts';
import type { Movable } from '../widgets/list-model.ts';
import type { Actions } from '../commands/command.ts';
import type { ActionsFor, Scope } from '../commands/screen-commands.ts';
import type { Look } from '../theme/look.ts';

/** A word for the copy menu, and what it puts into the clipboard. */
export interface Copyable {
  readonly name: string;
  readonly text: string | (() => Promise<string>);
}

/**
 * Made once for a place, kept on the stack while places are opened from it, closed when it is left. Only the one that is
 * shown reads data: `show` begins, `hide` ends it. It says `ui.changes.now()` after a key and `ui.changes.soon()` when
 * data came.
 */
export interface Screen {
  /** Which commands hold here: a key of SCREEN_COMMANDS. */
  readonly scope: Scope;
  /** Where we are, from the root: `['buckets', 'photos', '2026/07/']`. Names are not yet safe to draw. */
  readonly crumbs: readonly string[];
  /** At the right of the crumbs. Safe to draw. */
  readonly note?: string | undefined;
  readonly actions: Actions;
  /** The list that the keys of lists move; the focused one where there are several. */
  readonly list?: Movable | undefined;
  /** It is on the screen now, or the daemon is back: read what is shown. Also `r`. */
  show(): void;
  hide(): void;
  close?(): void;
  open?(): void | Promise<void>;
  nextPane?(step: 1 | -1): void;
  /** Something of its own to leave before the screen is left (a search, an open detail); true when there was. */
  back?(): boolean;
  /** Everything can be fetched: for `G` on a list of pages. */
  loadAll?(signal: AbortSignal): Promise<void>;
  copyables?(): readonly Copyable[];
  /** Called after it was drawn: reads what is in view and not known. The rows of `list` are fetched without it. */
  seen?(): void;
  /** Sends no request. At most `area.rows` lines of at most `area.columns` cells; they may hold colours of `look`. */
  draw(area: Area, look: Look): readonly string[];
}

/** A screen with an action for each of its commands, with a question where there is danger. */
export type KnownScreen = {
  [S in Scope]: Screen & { readonly scope: S; readonly actions: ActionsFor<S> };
}[Scope];
