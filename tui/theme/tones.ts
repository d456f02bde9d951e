/**
 * The meanings of colours. A screen names a meaning, and a skin assigns a colour to it. Colour alone never carries a
 * meaning: a letter, a shape or a word also shows it.
 */

/** Assigns a skin's text colour and background to a meaning, and a text style for terminals without colours. */
interface Meaning {
  /** The name of the text colour. If absent, the terminal's default text colour is used. */
  readonly colour?: ColourName;
  readonly background?: ColourName;
  readonly isBold?: true;
  /**
   * Whether the text is less important than the text around it. In a selected row, subdued text gets the row's colour.
   */
  readonly isSubdued?: true;
  /** The text style on a terminal without colours. */
  readonly mono?: 'bold' | 'dim' | 'inverse';
}

/** The skin's colours for text, for lines and bars, and for backgrounds. */
export const TEXT_COLOURS = [
  'dim',
  'accent',
  'good',
  'attention',
  'bad',
  'folder',
  'date',
  'size',
  'governance',
  'compliance',
  'hold',
  'added',
  'removed',
  'marked',
  'key',
  'heading',
  'title',
] as const;
export const SHAPE_COLOURS = ['border', 'focus', 'chart', 'track'] as const;
export const PAIRS = [
  ['selectionText', 'selection'],
  ['tabText', 'tab'],
] as const;

export type ColourName =
  | (typeof TEXT_COLOURS)[number]
  | (typeof SHAPE_COLOURS)[number]
  | (typeof PAIRS)[number][number];

export const COLOUR_NAMES: readonly ColourName[] = [
  ...TEXT_COLOURS,
  ...SHAPE_COLOURS,
  ...PAIRS.flat(),
];

export const TONES = {
  plain: {},
  strong: { isBold: true, mono: 'bold' },
  dim: { colour: 'dim', isSubdued: true, mono: 'dim' },
  /** Everything is in order. For a measured value: below the first threshold. */
  good: { colour: 'good' },
  /**
   * Needs action soon, such as a conflict. In a comparison: changed. For a measured value: above the first threshold.
   */
  attention: { colour: 'attention', mono: 'bold' },
  /** An error or a failure. For a measured value: above the second threshold. */
  bad: { colour: 'bad', mono: 'bold' },
  /** Work in progress, and values that the user typed or selected. */
  accent: { colour: 'accent' },
  folder: { colour: 'folder', isBold: true },
  date: { colour: 'date', isSubdued: true },
  size: { colour: 'size' },
  governance: { colour: 'governance' },
  compliance: { colour: 'compliance', mono: 'bold' },
  hold: { colour: 'hold', mono: 'bold' },
  added: { colour: 'added' },
  removed: { colour: 'removed' },
  marked: { colour: 'marked', isBold: true, mono: 'bold' },
  /** A key that the user can press now. */
  key: { colour: 'key', isBold: true, mono: 'bold' },
  /** Column headings, and the names of values. */
  heading: { colour: 'heading', isSubdued: true, mono: 'dim' },
  /** The title of a pane. */
  title: { colour: 'title', isBold: true },
  /** The title and border of the pane that receives the keys. */
  focusedTitle: { colour: 'focus', isBold: true, mono: 'bold' },
  focus: { colour: 'focus' },
  border: { colour: 'border', isSubdued: true, mono: 'dim' },
  /** The bars and lines of charts. */
  chart: { colour: 'chart' },
  /** The unfilled part of a progress bar. */
  track: { colour: 'track', mono: 'dim' },
  /** The active tab, drawn as a filled pill. */
  tab: { colour: 'tabText', background: 'tab', isBold: true, mono: 'bold' },
  /** The selected row, item or field. */
  selected: { colour: 'selectionText', background: 'selection', mono: 'inverse' },
  /** The focused button. */
  button: { colour: 'tabText', background: 'tab', isBold: true, mono: 'inverse' },
  /** The cell at the text cursor. */
  cursor: { mono: 'inverse' },
} as const satisfies Readonly<Record<string, Meaning>>;

export type Tone = keyof typeof TONES;

export function meaningOf(tone: Tone): Meaning {
  return TONES[tone];
}

/**
 * Returns the tone for a share from 0 to 1, where lower is better. `attention` and `bad` are the shares at which these
 * tones start.
 */
export function thresholdTone(
  share: number,
  { attention, bad }: { readonly attention: number; readonly bad: number },
): Extract<Tone, 'good' | 'attention' | 'bad'> {
  if (share >= bad) return 'bad';
  return share >= attention ? 'attention' : 'good';
}

/** Returns the tone for a lock's retention mode, or undefined without a lock. */
export function lockTone(mode: string | undefined): Tone | undefined {
  if (mode === 'COMPLIANCE') return 'compliance';
  return mode === 'GOVERNANCE' ? 'governance' : undefined;
}
