/** Ink's part: the frame's lines on the screen, and what is typed to the controller. */

import { Box, Transform, useApp, useInput, usePaste, useWindowSize } from 'ink';
import { createElement, memo, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

import { keyNames } from '../input/key-names.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { widthOf } from '../text/width.ts';
import type { Controller } from './controller.ts';
import { Clicks } from './clicks.ts';
import { isTooSmall } from './frame.ts';
import { Pictures } from './pictures.ts';
import type { Ui } from '../ui/ui.ts';

export interface AppProps {
  readonly ui: Ui;
  /** Until there is one, no key is read: what is typed meanwhile waits in the terminal. */
  readonly controller?: Controller | undefined;
  /** Called once the terminal is read. */
  readonly onReady?: (terminal: Terminal) => void;
}

export interface Terminal {
  /** Gives the terminal to another program for a while. */
  readonly suspend: SuspendTerminal;
  readonly click: (event: MouseEvent) => void;
}

export type SuspendTerminal = (callback: () => void | Promise<void>) => Promise<void>;

export function App({ ui, controller, onReady }: AppProps): ReactNode {
  const { suspendTerminal } = useApp();
  const { columns, rows } = useWindowSize();
  const pictures = useMemo(() => new Pictures(ui, controller), [ui, controller]);
  const { lines, box } = useSyncExternalStore(ui.changes.subscribe, () =>
    pictures.frame(columns, rows),
  );
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
    onReady?.({ suspend: suspendTerminal, click });
  }, [onReady, suspendTerminal, clicks, isShown]);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Lines lines={lines} />
      {box === undefined ? null : (
        <Box position="absolute" left={box.left} top={box.top} flexDirection="column">
          <Lines lines={box.lines} />
        </Box>
      )}
    </Box>
  );
}

/** A line's place is what it is. */
function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((text, row) => createElement(Line, { key: row, text }));
}

/**
 * Drawn again only when it has changed. Ink lays out as many blanks, and puts the text in their place as it writes them:
 * in what it lays out it looks for the width and the colours of each cell several times a frame. While the terminal
 * becomes narrower there is less room than the line takes: it is left out until it is drawn for that width.
 */
const Line = memo(function Line({ text }: { readonly text: string }): ReactNode {
  const room = ' '.repeat(Math.max(1, widthOf(text)));
  return <Transform transform={(given) => (given === room ? text : '')}>{room}</Transform>;
});
