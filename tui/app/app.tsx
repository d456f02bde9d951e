/**
 * The Ink component of the dashboard: it shows the lines of the frame and passes keys, pastes and clicks to the
 * controller.
 */

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
  /** While it is undefined, no input is read, and the terminal buffers typed keys. */
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

/** Renders the lines. The row number is the React key, because lines have no other identity. */
function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((text, row) => createElement(Line, { key: row, text }));
}

/**
 * Renders again only if the text has changed. Ink lays out blanks of the same width, because measuring the real text
 * would take several passes over each cell. If a narrower terminal has cut the blanks, the line stays empty until the
 * next frame.
 */
const Line = memo(function Line({ text }: { readonly text: string }): ReactNode {
  const room = ' '.repeat(Math.max(1, widthOf(text)));
  return <Transform transform={(given) => (given === room ? text : '')}>{room}</Transform>;
});
