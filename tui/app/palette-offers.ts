/**
 * Returns the palette's offers for a typed text: screens, palette commands with values, and the current screen's
 * commands.
 */

import type { CommandRunner } from '../commands/command.ts';
import type { Ui } from '../ui/ui.ts';
import { shownKey } from '../input/key-names.ts';
import { PHRASES } from './phrases.ts';
import type { Phrase } from '../ui/phrase.ts';
import { fuzzySorted } from '../widgets/fuzzy.ts';

export interface Offer {
  /** The text that Tab inserts into the input line. */
  readonly text: string;
  /** The text in the first column: the text to type, or the key. */
  readonly label: string;
  readonly title: string;
  readonly why?: string | undefined;
  /** Runs the offer. Undefined if the user must type a value first. */
  readonly run: (() => void | Promise<void>) | undefined;
  /** Further texts that the search also matches. */
  readonly also?: readonly string[];
}

const MOST_OFFERS = 12;

/** Starts to read the names that the offers for this text need. */
export function prepareOffers(ui: Ui, typed: string): void {
  const { phrase, argument } = phraseOf(typed);
  if (phrase) phrase.prepare?.(ui, argument);
  else if (typed.trim() !== '') for (const each of PHRASES) each.prepare?.(ui, '');
}

/** Splits the text into the palette command at its start, if any, and the argument. */
function phraseOf(typed: string): {
  readonly phrase?: Phrase | undefined;
  readonly argument: string;
} {
  const text = typed.trimStart();
  const [word = '', ...rest] = text.split(/\s+/);
  const phrase = text.includes(' ') ? PHRASES.find(({ name }) => name === word) : undefined;
  return { phrase, argument: rest.join(' ') };
}

export function offersFor(ui: Ui, controller: CommandRunner, typed: string): readonly Offer[] {
  const text = typed.trimStart();
  const { phrase, argument } = phraseOf(typed);
  if (phrase) return argumentOffers(ui, phrase, argument);
  const commands = commandOffers(controller);
  if (text === '')
    return [...PHRASES.map((each) => phraseOffer(ui, each)), ...commands].slice(0, MOST_OFFERS);
  const all = [
    ...PHRASES.map((each) => phraseOffer(ui, each)),
    ...commands,
    ...PHRASES.flatMap((each) => valueOffers(ui, each)),
  ];
  const found = fuzzySorted(all, text, ({ text: own, title, also = [] }) => [own, title, ...also]);
  return found.slice(0, MOST_OFFERS);
}

function phraseOffer(ui: Ui, phrase: Phrase): Offer {
  const { name, usage, title } = phrase;
  const run = phrase.needsArgument === true ? undefined : () => phrase.run(ui, '');
  return { text: `${name} `, label: usage, title, run };
}

/** Returns the palette command with each known value: `job photos`, `bucket eu:photos`, `theme mono`. */
function valueOffers(ui: Ui, phrase: Phrase): readonly Offer[] {
  return (phrase.complete?.(ui, '') ?? []).map((value) => valueOffer(ui, phrase, value));
}

function valueOffer(ui: Ui, phrase: Phrase, value: string): Offer {
  const text = `${phrase.name} ${value}`;
  return { text, label: text, title: '', run: () => phrase.run(ui, value.trim()) };
}

function argumentOffers(ui: Ui, phrase: Phrase, argument: string): readonly Offer[] {
  const offers = (phrase.complete?.(ui, argument) ?? []).map((value) =>
    valueOffer(ui, phrase, value),
  );
  const own = valueOffer(ui, phrase, argument);
  const isOffered = offers.some(({ text }) => text.trim() === own.text.trim());
  const all = isOffered || argument === '' ? offers : [own, ...offers];
  return (all.length === 0 ? [own] : all).slice(0, MOST_OFFERS);
}

/** Returns the current screen's commands. The search matches their titles and keys. */
function commandOffers(controller: CommandRunner): readonly Offer[] {
  return controller.commands().map((command) => {
    const keys = command.keys.map(shownKey);
    const run = () => controller.run(command, undefined);
    const why = controller.whyNot(command);
    return {
      text: command.title,
      label: keys[0] ?? '',
      title: command.title,
      why,
      run,
      also: keys,
    };
  });
}
