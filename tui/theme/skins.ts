/** The skins (colour themes) that Holdfast ships. Skins that users write inherit from one of them. */

import type { ColourName, Tone } from './tones.ts';

/** A colour in the form `#rrggbb`. */
export type Hex = `#${string}`;

export interface Skin {
  /**
   * The background that the colours were chosen for. The skin does not paint it. For light text it is the lightest
   * suitable background, for dark text the darkest.
   */
  readonly background: Hex;
  readonly colours: Readonly<Record<ColourName, Hex>>;
  /** Colour numbers for 256-colour terminals, for colours whose nearest match is not the best one. */
  readonly indexed?: Readonly<Partial<Record<ColourName, number>>>;
  /** Styles for terminals with 16 colours, whose palette the user defines. The values are SGR parameters (ECMA-48). */
  readonly sixteen: Readonly<Record<Tone, string>>;
}

const SIXTEEN_DARK: Skin['sixteen'] = {
  plain: '',
  strong: '1',
  dim: '2',
  good: '32',
  attention: '33',
  bad: '91',
  accent: '36',
  folder: '1;94',
  date: '2',
  size: '',
  governance: '36',
  compliance: '95',
  hold: '93',
  added: '32',
  removed: '91',
  marked: '1;33',
  key: '1;36',
  heading: '2',
  title: '1',
  focusedTitle: '1;36',
  focus: '36',
  border: '2',
  chart: '36',
  track: '2',
  tab: '1;30;46',
  selected: '1',
  button: '1;30;46',
  cursor: '7',
};

const SIXTEEN_LIGHT: Skin['sixteen'] = {
  ...SIXTEEN_DARK,
  attention: '35',
  bad: '31',
  accent: '34',
  folder: '1;34',
  governance: '34',
  compliance: '35',
  hold: '35',
  removed: '31',
  marked: '1;35',
  key: '1;34',
  focusedTitle: '1;34',
  focus: '34',
  chart: '34',
  tab: '1;97;44',
  button: '1;97;44',
};

const DARK: Skin = {
  background: '#1e1e1e',
  colours: {
    dim: '#9098a9',
    accent: '#6cc7f5',
    good: '#8fd18a',
    attention: '#e8b862',
    bad: '#ff8a8f',
    folder: '#8ab4ff',
    date: '#9098a9',
    size: '#a9c7d6',
    governance: '#63d4c4',
    compliance: '#d5a3ff',
    hold: '#f7a072',
    added: '#8fd18a',
    removed: '#ff8a8f',
    marked: '#f2d06b',
    key: '#6cc7f5',
    heading: '#9098a9',
    title: '#d6dbe5',
    border: '#4a5264',
    focus: '#6cc7f5',
    chart: '#6cc7f5',
    track: '#5c6478',
    selectionText: '#f0f3f8',
    selection: '#283c5e',
    tabText: '#10151f',
    tab: '#6cc7f5',
  },
  // The nearest grey is too light behind red text.
  indexed: { selection: 236 },
  sixteen: SIXTEEN_DARK,
};

const LIGHT: Skin = {
  background: '#f6f6f6',
  colours: {
    dim: '#626872',
    accent: '#0a5cb8',
    good: '#19672f',
    attention: '#6e4f00',
    bad: '#b01c28',
    folder: '#1750b8',
    date: '#626872',
    size: '#2f5568',
    governance: '#00605c',
    compliance: '#7a28b0',
    hold: '#8f1f6a',
    added: '#19672f',
    removed: '#b01c28',
    marked: '#6e4f00',
    key: '#0a5cb8',
    heading: '#626872',
    title: '#2a303a',
    border: '#b4bac4',
    focus: '#0a5cb8',
    chart: '#0a5cb8',
    track: '#a2a9b5',
    selectionText: '#12161d',
    selection: '#d3e2fb',
    tabText: '#ffffff',
    tab: '#0a5cb8',
  },
  sixteen: SIXTEEN_LIGHT,
};

const HIGH_CONTRAST: Skin = {
  background: '#000000',
  colours: {
    dim: '#c8c8c8',
    accent: '#5fd7ff',
    good: '#5fff87',
    attention: '#ffd75f',
    bad: '#ffa0a0',
    folder: '#afd7ff',
    date: '#c8c8c8',
    size: '#d7ffff',
    governance: '#5fffd7',
    compliance: '#ffafff',
    hold: '#ffaf5f',
    added: '#5fff87',
    removed: '#ffa0a0',
    marked: '#ffff5f',
    key: '#ffff5f',
    heading: '#c8c8c8',
    title: '#ffffff',
    border: '#a8a8a8',
    focus: '#ffff5f',
    chart: '#5fd7ff',
    track: '#8a8a8a',
    selectionText: '#ffffff',
    selection: '#0000a8',
    tabText: '#000000',
    tab: '#ffff5f',
  },
  sixteen: { ...SIXTEEN_DARK, dim: '', date: '', heading: '', border: '', track: '' },
};

export const SHIPPED_SKINS = { dark: DARK, light: LIGHT, 'high-contrast': HIGH_CONTRAST } as const;

export type ShippedName = keyof typeof SHIPPED_SKINS;
