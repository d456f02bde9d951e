/** Runs the dashboard on the terminal's alternate screen, and always restores the terminal afterwards. */

import { render } from 'ink';
import type { Instance } from 'ink';

import type { Clock } from '../src/base/clock.ts';
import { errorMessage, invariant } from '../src/base/errors.ts';
import type { ControlClient } from '../src/control/client.ts';
import { App } from './app/app.tsx';
import type { SuspendTerminal, Terminal } from './app/app.tsx';
import type { Controller } from './app/controller.ts';
import { Ui } from './ui/ui.ts';
import type { Screens } from './ui/ui.ts';
import type { Keymap } from './input/keymap.ts';
import { shortPath } from './text/home-path.ts';
import { countText } from '../src/text/amounts.ts';
import { DaemonLink } from './data/daemon-link.ts';
import { watchSocket } from './data/socket-watch.ts';
import { notedTheme, noteTheme } from './data/notes.ts';
import { redrawAfterResize } from './terminal/after-resize.ts';
import { askBackground, canAskBackground } from './terminal/background.ts';
import { copyText } from './terminal/clipboard.ts';
import { editText } from './terminal/editor.ts';
import type { Streams } from './terminal/guard.ts';
import { Mouse } from './terminal/mouse.ts';
import { stopJob } from './terminal/stop-job.ts';
import { takeWarnings } from './terminal/warnings.ts';
import { SkinFolder } from './theme/skin-folder.ts';
import { terminalOf, Themes } from './theme/themes.ts';

export interface DashboardOptions {
  readonly streams: Streams;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly connect: () => Promise<ControlClient>;
  readonly socketPath: string;
  /** Starts a daemon that keeps running after this process ends. */
  readonly startDaemon: () => Promise<void>;
  readonly logFile: string;
  readonly notesFile: string;
  /** The directory with the user's skins (colour themes). It may be missing. */
  readonly skinsFolder: string;
  /** The file with the user's key bindings. It may be missing. */
  readonly keysFile: string;
  readonly folder: string;
  /** The options that suggested commands need to find the home folder, such as ` --home DIR`. May be empty. */
  readonly homeOption: string;
}

interface Rendered {
  instance?: Instance;
  suspend?: SuspendTerminal;
  click?: Terminal['click'];
}

/**
 * Resolves with the tasks that are still running when the user quits. If an error ends the dashboard, restores the
 * terminal and rejects with this error.
 */
export async function runDashboard(options: DashboardOptions): Promise<readonly string[]> {
  const { streams, env, clock, connect, socketPath } = options;
  const done = Promise.withResolvers<void>();
  const watch = (started: () => void) => watchSocket(socketPath, started);
  const link = new DaemonLink({ connect, clock, watch });
  const terminal: Rendered = {};
  const mouse = new Mouse({
    stdin: streams.stdin,
    write: (sequence) => void streams.stdout.write(sequence),
    take: (event) => terminal.click?.(event),
  });
  let screens: Screens | undefined;
  const redraw = () => ui.changes.whole();
  const ui: Ui = new Ui({
    clock,
    link,
    themes: new Themes(terminalOf(env, process.platform), notedTheme(options.notesFile)),
    screens: () => {
      invariant(screens, 'the first screen is created after all were loaded');
      return screens;
    },
    quit: () => done.resolve(),
    outside: {
      copy: (text) => copyText(text, env, (sequence) => void streams.stdout.write(sequence)),
      redraw,
      suspend: () => void terminal.suspend?.(() => stopJob(clock)),
      setMouse: (on) => mouse.set(on),
      edit: (text, name) => editSuspended(() => editText(text, name, env), terminal.suspend),
      startDaemon: options.startDaemon,
      logFile: options.logFile,
      folder: options.folder,
      homeOption: options.homeOption,
      userHome: env['HOME'] ?? '',
      notesFile: options.notesFile,
      noteTheme: (name) => noteTheme(options.notesFile, name),
    },
  });
  const app = (controller?: Controller) => (
    <App
      ui={ui}
      controller={controller}
      onReady={({ suspend, click }) => {
        Object.assign(terminal, { suspend: withoutMouse(mouse, suspend), click });
      }}
    />
  );
  const skins = skinsOf(ui, options.skinsFolder);
  terminal.instance = render(app(), { ...streams, ...RENDERING });
  const signals = catchSignals(() => done.resolve());
  const stopAsking = canAskBackground(env) ? ask(ui, streams) : () => undefined;
  const stopRedraws = redrawAfterResize(ui.clock, redraw);
  const giveWarningsBack = takeWarnings((message) => ui.warn(message));
  try {
    void link.connect();
    skins.watch();
    const [{ SCREENS }, { Controller }] = await loadAfterFirstFrame();
    screens = SCREENS;
    await ui.attempt(async () => {
      ui.keymap = await keymapOf(options.keysFile, env['HOME']);
    });
    ui.router.start();
    terminal.instance.rerender(app(new Controller(ui)));
    await Promise.race([done.promise, terminal.instance.waitUntilExit()]);
    return ui.leftBehind;
  } finally {
    signals.release();
    stopRedraws();
    stopAsking();
    giveWarningsBack();
    skins.close();
    mouse.set(false);
    ui.router.close();
    link.close();
    terminal.instance.unmount();
    await terminal.instance.waitUntilExit();
  }
}

/** Asks for the terminal's background after the first frame, and redraws the frame if the theme changes. */
function ask(ui: Ui, { stdin, stdout }: Streams): () => void {
  return askBackground({
    stdin,
    write: (sequence) => void stdout.write(sequence),
    clock: ui.clock,
    found: (background) => {
      ui.themes.setBackground(background);
      ui.changes.now();
    },
  });
}

/** Loads the modules that the first frame does not need, so that the first frame appears sooner. */
const loadAfterFirstFrame = () =>
  Promise.all([import('./app/screens.ts'), import('./app/controller.ts')]);

/** Reads the user's skins before the first frame, because the selected theme may be one of them. */
function skinsOf(ui: Ui, folder: string): SkinFolder {
  const skins = new SkinFolder({
    folder,
    clock: ui.clock,
    warn: (text) => ui.warn(text),
    changed: (found) => {
      ui.themes.setSkins(found);
      ui.changes.now();
    },
  });
  skins.read();
  ui.themes.setSkins(skins.skins);
  return skins;
}

async function keymapOf(file: string, userHome = ''): Promise<Keymap> {
  const { loadKeymap } = await import('./input/keys-file.ts');
  try {
    return await loadKeymap(file);
  } catch (error) {
    const [first, ...rest] = errorMessage(error).split('\n');
    const more = rest.length > 0 ? ` (and ${countText(rest.length, 'other')})` : '';
    const reason = `${first}${more}`;
    throw new Error(`the default keys are used: ${shortPath(file, userHome)}: ${reason}`, {
      cause: error,
    });
  }
}

const RENDERING = {
  alternateScreen: true,
  incrementalRendering: true,
  maxFps: 60,
  exitOnCtrlC: false,
  interactive: true,
} as const;

function withoutMouse(mouse: Mouse, suspend: SuspendTerminal): SuspendTerminal {
  return (callback) => suspend(() => mouse.without(async () => callback()));
}

/** Hands the terminal to the user's editor, and resumes the dashboard when the editor exits. */
async function editSuspended(
  edit: () => Promise<string>,
  suspend?: SuspendTerminal,
): Promise<string> {
  if (!suspend) throw new Error('edit: the terminal cannot be suspended');
  const edited = Promise.withResolvers<string>();
  await suspend(() => edit().then(edited.resolve, edited.reject));
  return edited.promise;
}

function catchSignals(stop: () => void): { readonly release: () => void } {
  const names = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  for (const name of names) process.on(name, stop);
  return {
    release: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}
