/**
 * The meanings of colours. Screens name a meaning, and a skin assigns a colour to it. No meaning is shown by
 * colour alone: a letter, a shape or a word shows it too.
 */

/** A text colour and a background of a skin, and the style of the text without colours. */
interface Meaning {
  /** If absent, the text has the terminal's own colour. */
  readonly colour?: ColourName;
  readonly background?: ColourName;
  readonly isBold?: true;
  /** Less important than the text around it. In a selected row, it has the colour of the row's text. */
  readonly isSubdued?: true;
  /** Style on a terminal without colours. */
  readonly mono?: 'bold' | 'dim' | 'inverse';
}

/** Colours of a skin for text, for lines and bars, and for backgrounds. */
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
  /** In order. For thresholds: below the first one. */
  good: { colour: 'good' },
  /** Needs action soon, such as a conflict. In a difference: changed. For thresholds: above the first one. */
  attention: { colour: 'attention', mono: 'bold' },
  /** An error or a failure; thresholds: above the second one. */
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
  /** A key that is available now. */
  key: { colour: 'key', isBold: true, mono: 'bold' },
  /** Titles of columns, and names of values. */
  heading: { colour: 'heading', isSubdued: true, mono: 'dim' },
  /** Title of a pane. */
  title: { colour: 'title', isBold: true },
  /** Title and border of the pane that receives the keys. */
  focusedTitle: { colour: 'focus', isBold: true, mono: 'bold' },
  focus: { colour: 'focus' },
  border: { colour: 'border', isSubdued: true, mono: 'dim' },
  /** Series of values. */
  chart: { colour: 'chart' },
  /** Remaining part of a progress bar. */
  track: { colour: 'track', mono: 'dim' },
  /** Active tab, drawn as a filled pill. */
  tab: { colour: 'tabText', background: 'tab', isBold: true, mono: 'bold' },
  /** Selected row, item or field. */
  selected: { colour: 'selectionText', background: 'selection', mono: 'inverse' },
  /** Focused button. */
  button: { colour: 'tabText', background: 'tab', isBold: true, mono: 'inverse' },
  /** Cell at the text cursor. */
  cursor: { mono: 'inverse' },
} as const satisfies Readonly<Record<string, Meaning>>;

export type Tone = keyof typeof TONES;

export function meaningOf(tone: Tone): Meaning {
  return TONES[tone];
}

/**
 * Returns the tone of a share of 0 to 1 for which lower is better. `attention` and `bad` are the shares from
 * which these tones apply.
 */
export function thresholdTone(
  share: number,
  { attention, bad }: { readonly attention: number; readonly bad: number },
): Extract<Tone, 'good' | 'attention' | 'bad'> {
  if (share >= bad) return 'bad';
  return share >= attention ? 'attention' : 'good';
}

/** Returns the tone of a lock by its mode. */
export function lockTone(mode: string | undefined): Tone | undefined {
  if (mode === 'COMPLIANCE') return 'compliance';
  return mode === 'GOVERNANCE' ? 'governance' : undefined;
}
