/** Shows why the daemon is down: the connection error, how to fix it, and the end of the daemon's log. */

import { open } from 'node:fs/promises';

import type { Drawn, Overlay } from '../widgets/overlay.ts';
import type { Area } from '../widgets/layout.ts';
import type { Ui } from '../ui/ui.ts';
import { errorCode, errorMessage } from '../../src/base/errors.ts';
import { withHomeOption } from '../../src/text/pasted-commands.ts';
import { clockText } from '../../src/text/time.ts';
import { wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

/** The number of bytes that are read from the end of the log. */
const TAIL_BYTES = 16_384;

export class DiagnosticsOverlay implements Overlay {
  readonly #ui: Ui;
  #log: readonly string[] = ['reading the log'];

  constructor(ui: Ui) {
    this.#ui = ui;
    void this.#read();
  }

  onKey(key: string): void {
    if (key === 'esc' || key === 'q' || key === 'enter' || key === 'd') this.#ui.closeOverlay(this);
  }

  async #read(): Promise<void> {
    try {
      this.#log = await endOf(this.#ui.outside.logFile);
    } catch (error) {
      this.#log = [errorCode(error) === 'ENOENT' ? 'the log does not exist' : errorMessage(error)];
    }
    this.#ui.changes.now();
  }

  draw(area: Area, look: Look): Drawn {
    const { state } = this.#ui.link;
    const said =
      state.kind === 'down'
        ? [state.message, ...(state.hint === undefined ? [] : [state.hint])]
        : ['the daemon is running again'];
    // Repeats the key from the header, because users also look for it in this dialog.
    if (state.kind === 'down' && state.why === 'not running')
      said.push('close this dialog and press s to start the daemon');
    const head = said.flatMap((line) =>
      wrap(look.name(withHomeOption(line, this.#ui.outside.homeOption)), area.columns),
    );
    const title = look.paint('dim', `last lines of ${look.name(this.#ui.outside.logFile)}:`);
    const room = Math.max(1, area.rows - head.length - 3);
    const log = this.#log
      .slice(-room)
      .flatMap((line) => wrap(look.name(saidOf(line)), area.columns))
      .slice(-room);
    return { title: 'Diagnostics', lines: [...head, '', title, ...log], keys: 'Esc close' };
  }
}

/**
 * Returns a JSON log line in readable form, such as `17:49:35 start daemon: failed: the port is in use`. Returns any
 * other line unchanged.
 */
function saidOf(line: string): string {
  const fields = fieldsOf(line);
  if (!fields) return line;
  const { time, msg, error, hint, job } = fields;
  const at = Date.parse(String(time));
  const said = [job, msg, error, hint].filter((word) => typeof word === 'string').join(': ');
  return Number.isNaN(at) ? said : `${clockText(at)} ${said}`;
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    const isRecord = typeof parsed === 'object' && parsed !== null && 'msg' in parsed;
    return isRecord ? { ...parsed } : undefined;
  } catch {
    // The line is not JSON, for example because it belongs to a crash report.
    return undefined;
  }
}

async function endOf(path: string): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
    return start > 0 ? lines.slice(1) : lines;
  } finally {
    await file.close();
  }
}
