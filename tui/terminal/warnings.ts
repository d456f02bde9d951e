/** Intercepts warnings of Node, because text on stderr would corrupt the screen. */

type Warn = (message: string) => void;

/** Passes warnings to `warn` until the returned function is called; later ones are printed as usual. */
export function takeWarnings(warn: Warn): () => void {
  const printing = process.listeners('warning');
  process.removeAllListeners('warning');
  const report = ({ name, message }: Error) => warn(`${name}: ${message}`);
  process.on('warning', report);
  return () => {
    process.off('warning', report);
    for (const listener of printing) process.on('warning', listener);
  };
}
