/** Lets Node load the two `.tsx` files of the dashboard, whose types it strips only in `.ts` files. */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformSync } from 'rolldown/utils';

// React reads it when it is loaded, and is slower without.
process.env['NODE_ENV'] ??= 'production';

registerHooks({
  load: (url, context, nextLoad) => {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const file = fileURLToPath(url);
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'));
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    return { format: 'module', source: code, shortCircuit: true };
  },
});
