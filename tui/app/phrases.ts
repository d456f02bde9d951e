/** All palette commands: those of the tabs, of the screens and of the whole dashboard, such as `:theme mono`. */

import { TABS } from '../ui/router.ts';
import type { Phrase } from '../ui/phrase.ts';
import { SCREEN_PHRASES } from './screen-phrases.ts';

const starting = (words: readonly string[], argument: string): string[] =>
  words.filter((word) => word.startsWith(argument));

const tabPhrases: readonly Phrase[] = TABS.map((tab) => {
  return {
    name: tab,
    usage: tab,
    title: `the ${tab} screen`,
    run: (ui) => void ui.router.choose(tab),
  };
});

const OWN: readonly Phrase[] = [
  {
    name: 'theme',
    usage: 'theme NAME',
    title: 'colours, or none',
    needsArgument: true,
    complete: ({ themes }, argument) => starting(themes.names, argument),
    run: async (ui, argument) => {
      ui.notify(ui.themes.choose(argument));
      await ui.outside.noteTheme(argument);
    },
  },
  {
    name: 'mouse',
    usage: 'mouse on|off',
    title: 'use mouse clicks and the wheel, or not',
    needsArgument: true,
    complete: (_ui, argument) => starting(['on', 'off'], argument),
    run: (ui, argument) => {
      if (argument !== 'on' && argument !== 'off') throw new Error('set mouse: use on or off');
      ui.outside.setMouse(argument === 'on');
      ui.notify(argument === 'on' ? MOUSE_ON : 'the mouse is off: the terminal selects text');
    },
  },
  {
    name: 'stop',
    usage: 'stop',
    title: 'stop the running task in the footer',
    run: (ui) => {
      const work = ui.works.at(-1);
      if (!work) throw new Error('stop: no task is running');
      work.abort.abort();
      ui.notify(`stopped ${work.title.replace(/ \(.*\)$/, '')}`);
    },
  },
  { name: 'quit', usage: 'quit', title: 'leave the dashboard', run: (ui) => ui.quit() },
];

const MOUSE_ON = 'the mouse is on; most terminals select text with Shift';

export const PHRASES: readonly Phrase[] = [...tabPhrases, ...SCREEN_PHRASES, ...OWN];
