/**
 * Selects the visible screen. Each of the eight tabs has a root screen and a stack of the screens that were opened from
 * it.
 */

import type { KnownScreen, Screen } from './screen.ts';

export const TABS = [
  'dashboard',
  'buckets',
  'jobs',
  'conflicts',
  'nodes',
  'metrics',
  'locks',
  'activity',
] as const;

export type TabName = (typeof TABS)[number];

export class Router {
  readonly #makeRoot: (tab: TabName) => KnownScreen;
  readonly #stacks = new Map<TabName, Screen[]>();
  /** For each screen that was opened from another tab, the tab that is shown again when the user leaves the screen. */
  #origins = new Map<Screen, TabName>();
  /** Screens with the result of a finished task that the user left for another tab. They are not shown again. */
  readonly #over = new WeakSet<Screen>();
  #tab: TabName = 'dashboard';
  #isShown = false;

  constructor(makeRoot: (tab: TabName) => KnownScreen) {
    this.#makeRoot = makeRoot;
  }

  get tab(): TabName {
    return this.#tab;
  }

  /** The visible screen: the top of the current tab's stack. */
  get top(): Screen {
    return this.#stack.at(-1) ?? this.#root();
  }

  get depth(): number {
    return this.#stack.length;
  }

  get canGoBack(): boolean {
    return this.#stack.length > 1 || this.#origins.has(this.top);
  }

  /** Shows the root screen of the first tab. */
  start(): void {
    this.#isShown = true;
    this.top.show();
  }

  /**
   * Shows a tab, and closes the result screens on it that the user has left before. The returned function shows the
   * previous screen again, as if the user had not chosen the tab.
   */
  choose(tab: TabName): () => void {
    const before = { tab: this.#tab, top: this.top, origins: new Map(this.#origins) };
    if (tab === before.tab) return () => undefined;
    if (before.top.isOver) this.#over.add(before.top);
    this.#change(() => {
      this.#tab = tab;
      for (const screen of this.#stack) this.#origins.delete(screen);
      while (this.#over.has(this.top)) this.#stack.pop()?.close?.();
    });
    return () => {
      this.#over.delete(before.top);
      this.#change(() => {
        this.#tab = before.tab;
        this.#origins = before.origins;
      });
    };
  }

  /** Shows another tab. When the user goes back, the current tab is shown again. */
  visit(tab: TabName): void {
    const from = this.#tab;
    this.choose(tab);
    const [root = this.top] = this.#stack;
    if (tab !== from) this.#origins.set(root, from);
  }

  /** Opens a screen in the tab that its crumbs name. If they name no tab, opens the screen in the current tab. */
  open(screen: KnownScreen): void {
    this.#change(() => {
      const tab = tabOf(screen) ?? this.#tab;
      if (tab !== this.#tab) this.#origins.set(screen, this.#tab);
      this.#tab = tab;
      if (this.#stack.length === 0) this.#root();
      this.#stack.push(screen);
    });
  }

  /**
   * Closes the current screen and shows the previous one. The root screen of a tab stays open; the tab that the user
   * came from is shown instead. Returns false without a previous screen.
   */
  back(): boolean {
    const { top } = this;
    if (!this.canGoBack) return false;
    const isRoot = this.#stack.length === 1;
    this.#change(() => {
      if (!isRoot) this.#stack.pop()?.close?.();
      this.#tab = this.#origins.get(top) ?? this.#tab;
      this.#origins.delete(top);
    });
    return true;
  }

  close(): void {
    if (this.#isShown) this.top.hide();
    this.#isShown = false;
    for (const stack of this.#stacks.values()) for (const screen of stack) screen.close?.();
  }

  get #stack(): Screen[] {
    const stack = this.#stacks.get(this.#tab) ?? [];
    this.#stacks.set(this.#tab, stack);
    return stack;
  }

  #root(): Screen {
    const root = this.#makeRoot(this.#tab);
    this.#stack.push(root);
    return root;
  }

  #change(change: () => void): void {
    const before = this.top;
    change();
    if (!this.#isShown || this.top === before) return;
    before.hide();
    this.top.show();
  }
}

/** The tab of each screen whose first crumb is not a tab name. */
const OTHER_CRUMBS: Readonly<Record<string, TabName>> = { clusters: 'nodes', restore: 'jobs' };

function tabOf({ crumbs: [first = ''] }: Screen): TabName | undefined {
  return TABS.find((tab) => tab === first) ?? OTHER_CRUMBS[first];
}
