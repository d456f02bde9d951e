/** Intercepts Node's warnings, because text on stderr would corrupt the screen. */

type Warn = (message: string) => void;

/** Passes Node's warnings to `warn`. After the returned function was called, warnings are printed as usual. */
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
