/**
 * What a colour means. Screens name a meaning, and a skin gives it a colour. No colour carries a meaning alone: a letter, a
 * shape or a word shows it too.
 */

/** A pair of a text colour and a background of a skin, and how the text is marked without colours. */
interface Meaning {
  /** Absent: the terminal's own text colour. */
  readonly colour?: ColourName;
  readonly background?: ColourName;
  readonly isBold?: true;
  /** Less important than the text around it. In a selected row it has the colour of the row's text. */
  readonly isSubdued?: true;
  /** How it is drawn without colours. */
  readonly mono?: 'bold' | 'dim' | 'inverse';
}

/** The colours of a skin: those of text, those of lines and bars, and those of backgrounds. */
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
  /** In order; thresholds: below the first one. */
  good: { colour: 'good' },
  /** Soon to be acted on; a conflict; changed in a difference; thresholds: above the first one. */
  attention: { colour: 'attention', mono: 'bold' },
  /** An error or a failure; thresholds: above the second one. */
  bad: { colour: 'bad', mono: 'bold' },
  /** What is being worked on, and what the user typed or chose. */
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
  /** A key that can be pressed now. */
  key: { colour: 'key', isBold: true, mono: 'bold' },
  /** The titles of columns, and the names of values. */
  heading: { colour: 'heading', isSubdued: true, mono: 'dim' },
  /** The title of a pane. */
  title: { colour: 'title', isBold: true },
  /** The title and the border of the pane that takes the keys. */
  focusedTitle: { colour: 'focus', isBold: true, mono: 'bold' },
  focus: { colour: 'focus' },
  border: { colour: 'border', isSubdued: true, mono: 'dim' },
  /** A series of values. */
  chart: { colour: 'chart' },
  /** The rest of a progress bar. */
  track: { colour: 'track', mono: 'dim' },
  /** The active tab: a filled pill. */
  tab: { colour: 'tabText', background: 'tab', isBold: true, mono: 'bold' },
  /** A selected row, item or field. */
  selected: { colour: 'selectionText', background: 'selection', mono: 'inverse' },
  /** A focused button. */
  button: { colour: 'tabText', background: 'tab', isBold: true, mono: 'inverse' },
  /** The cell that is typed into. */
  cursor: { mono: 'inverse' },
} as const satisfies Readonly<Record<string, Meaning>>;

export type Tone = keyof typeof TONES;

export function meaningOf(tone: Tone): Meaning {
  return TONES[tone];
}

/** The tone of a share of 0 to 1 that must not become too large: `attention` and `bad` are the shares from which they hold. */
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
