/**
 * The Ink component of the dashboard. It writes the changed cells of each frame, and passes keys, pastes and clicks to
 * the controller. Ink manages the terminal: the alternate screen, the input, the size, and the switch to another
 * program.
 */

import { useApp, useInput, usePaste, useStdout, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

import { keyNames } from '../input/key-names.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { Painter, WRAP } from '../terminal/painter.ts';
import type { Controller } from './controller.ts';
import { Clicks } from './clicks.ts';
import { isTooSmall } from './frame.ts';
import { Pictures } from './pictures.ts';
import type { Ui } from '../ui/ui.ts';

export interface AppProps {
  readonly ui: Ui;
  /** Undefined until the screens are loaded. Until then, no input is read, and the terminal buffers the typed keys. */
  readonly controller?: Controller | undefined;
  /** Called when the terminal is ready for input. */
  readonly onReady?: (terminal: Terminal) => void;
}

export interface Terminal {
  /** Hands the terminal to another program until the callback ends. */
  readonly suspend: SuspendTerminal;
  readonly click: (event: MouseEvent) => void;
}

export type SuspendTerminal = (callback: () => void | Promise<void>) => Promise<void>;

export function App({ ui, controller, onReady }: AppProps): ReactNode {
  const { suspendTerminal } = useApp();
  const { stdout } = useStdout();
  const { columns, rows } = useWindowSize();
  const painter = useMemo(() => new Painter(), []);
  /** Whether another program uses the terminal. Nothing is written meanwhile. */
  const isSuspended = useRef(false);
  const pictures = useMemo(() => new Pictures(ui, controller), [ui, controller]);
  const frame = useSyncExternalStore(ui.changes.subscribe, () => pictures.frame(columns, rows));
  const isActive = controller !== undefined;
  const isShown = !isTooSmall(columns, rows);
  const clicks = useMemo(
    () => controller && new Clicks(ui, controller, () => pictures.frame(columns, rows)),
    [ui, controller, pictures, columns, rows],
  );
  useInput(
    (input, key) => {
      for (const name of keyNames(input, key)) controller?.press(name, isShown);
    },
    { isActive },
  );
  usePaste((text) => controller?.paste(text, isShown), { isActive });
  useEffect(() => {
    const click = (event: MouseEvent) => isShown && clicks?.take(event);
    const suspend: SuspendTerminal = async (callback) => {
      stdout.write(WRAP);
      isSuspended.current = true;
      try {
        await suspendTerminal(callback);
      } finally {
        isSuspended.current = false;
        ui.changes.whole();
      }
    };
    onReady?.({ suspend, click });
  }, [onReady, suspendTerminal, stdout, ui, clicks, isShown]);
  useLayoutEffect(() => {
    if (isSuspended.current) return;
    if (ui.changes.takeWhole()) painter.forget();
    const changes = painter.paint(frame, { columns, rows });
    if (changes !== '') stdout.write(changes);
  }, [ui, painter, stdout, frame, columns, rows]);
  useLayoutEffect(() => () => void stdout.write(WRAP), [stdout]);
  return null;
}
