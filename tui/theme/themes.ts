/**
 * The current theme and the names of all themes. A theme is a shipped skin, a skin of the user, or `mono` (no colours).
 */

import { lookOf, THEMES } from './look.ts';
import type { Look } from './look.ts';
import { SHIPPED_SKINS } from './skins.ts';
import type { ShippedName, Skin } from './skins.ts';
import type { ColourDepth } from './styles.ts';
import { backgroundOf, charsetOf, depthOf } from './terminal.ts';

export interface Terminal {
  readonly depth: ColourDepth;
  readonly background: Background;
  readonly charset: 'unicode' | 'ascii';
}

export type Background = 'dark' | 'light';

export function terminalOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): Terminal {
  return {
    depth: depthOf(env),
    background: backgroundOf(env),
    charset: charsetOf(env, platform),
  };
}

/** The theme name that selects a shipped theme by the terminal's background. */
export const AUTO = 'auto';

const DEPTH_TEXTS: Readonly<Record<ColourDepth, string>> = {
  truecolour: '16 million colours',
  '256': '256 colours',
  '16': '16 colours',
  mono: 'no colours',
};

export class Themes {
  #terminal: Terminal;
  /** The user's skins by name. */
  #skins: ReadonlyMap<string, Skin> = new Map();
  #chosen: string;
  #look: Look;

  /** If the saved theme is unknown or not loaded yet, the theme for the terminal's background is used instead. */
  constructor(terminal: Terminal, chosen = AUTO) {
    this.#terminal = terminal;
    this.#chosen = chosen;
    this.#look = this.#lookOf(this.#skinOf(chosen));
  }

  /** Replaces the user's skins. */
  setSkins(skins: ReadonlyMap<string, Skin>): void {
    this.#skins = skins;
    this.#look = this.#lookOf(this.#skinOf(this.#chosen));
  }

  /** Sets the background that the terminal has reported. The theme changes only if it depends on the background. */
  setBackground(background: Background): void {
    this.#terminal = { ...this.#terminal, background };
    this.#look = this.#lookOf(this.#skinOf(this.#chosen));
  }

  get look(): Look {
    return this.#look;
  }

  get names(): readonly string[] {
    return [AUTO, ...THEMES, ...this.#skins.keys()];
  }

  /**
   * Selects a theme and returns a message about it. Throws if the theme does not exist or needs colours that the
   * terminal lacks.
   */
  choose(name: string): string {
    if (!this.names.includes(name)) {
      throw new Error(`unknown theme "${name}": choose one of ${this.names.join(', ')}`);
    }
    const needsColours = name !== 'mono' && name !== AUTO;
    if (needsColours && this.#terminal.depth === 'mono') {
      throw new Error(`cannot show theme ${name}: NO_COLOR or TERM turns colours off`);
    }
    this.#chosen = name;
    this.#look = this.#lookOf(this.#skinOf(name));
    return `the theme is ${this.#shownName}, with ${DEPTH_TEXTS[this.#look.depth]}`;
  }

  get #shownName(): string {
    if (this.#chosen !== AUTO) return this.#chosen;
    return this.#look.depth === 'mono' ? 'mono' : this.#terminal.background;
  }

  #skinOf(name: string): Skin | undefined {
    if (name === 'mono') return undefined;
    const { background } = this.#terminal;
    return SHIPPED_SKINS[name as ShippedName] ?? this.#skins.get(name) ?? SHIPPED_SKINS[background];
  }

  #lookOf(skin: Skin | undefined): Look {
    const { depth, charset } = this.#terminal;
    return lookOf({ skin, depth, charset });
  }
}
