/** A page of the browser. It can visit URLs, evaluate scripts and click elements. */

import { type Devtools, type DevtoolsEvent, within } from './devtools.ts';

export interface Visited {
  /** HTTP status of the visited page, after redirects. */
  readonly status: number;
  readonly url: string;
  /** Visible text of the page. */
  readonly text: string;
}

export class Page {
  readonly #devtools: Devtools;
  readonly #session: string;
  readonly #context: string;

  private constructor(devtools: Devtools, session: string, context: string) {
    this.#devtools = devtools;
    this.#session = session;
    this.#context = context;
  }

  static async open(devtools: Devtools): Promise<Page> {
    const { browserContextId } = await devtools.call('Target.createBrowserContext');
    const { targetId } = await devtools.call('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const attached = await devtools.call('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(devtools, String(attached['sessionId']), String(browserContextId));
    for (const domain of ['Page', 'Network', 'Runtime']) await page.#call(`${domain}.enable`);
    return page;
  }

  async close(): Promise<void> {
    await this.#devtools.call('Target.disposeBrowserContext', { browserContextId: this.#context });
  }

  visit(url: string): Promise<Visited> {
    return this.#loads(async () => {
      const answer = await this.#call('Page.navigate', { url });
      const { errorText } = answer as { readonly errorText?: string };
      if (errorText !== undefined) throw new Error(`visit ${url}: ${errorText}`);
    });
  }

  /** Clicks an element, and returns the page to which it leads. */
  click(selector: string): Promise<Visited> {
    return this.#loads(async () => {
      await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
    });
  }

  /** Selects a file in a file input, as a user does. */
  async chooseFile(selector: string, path: string): Promise<void> {
    const { root } = await this.#call('DOM.getDocument');
    const { nodeId } = await this.#call('DOM.querySelector', {
      nodeId: (root as { nodeId: number }).nodeId,
      selector,
    });
    await this.#call('DOM.setFileInputFiles', { nodeId, files: [path] });
  }

  /**
   * Evaluates an expression and returns its awaited value. Rejects if the expression throws an
   * error.
   */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = (await this.#call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as {
      readonly result: { readonly value?: unknown; readonly description?: string };
      readonly exceptionDetails?: { readonly text: string };
    };
    if (exceptionDetails === undefined) return result.value;
    throw new Error(result.description ?? exceptionDetails.text);
  }

  async #loads(act: () => Promise<void>): Promise<Visited> {
    let status = 0;
    const loaded = Promise.withResolvers<void>();
    const stop = this.#devtools.listen(({ method, params, session }: DevtoolsEvent) => {
      if (session !== this.#session) return;
      if (method === 'Network.responseReceived' && params['type'] === 'Document') {
        status = (params['response'] as { status: number }).status;
      }
      if (method === 'Page.loadEventFired') loaded.resolve();
    });
    try {
      await act();
      await within(loaded.promise, 'load page');
    } finally {
      stop();
    }
    const [url, text] = (await this.evaluate('[location.href, document.body.innerText]')) as [
      string,
      string,
    ];
    return { status, url, text };
  }

  #call(method: string, params: Readonly<Record<string, unknown>> = {}) {
    return this.#devtools.call(method, params, this.#session);
  }
}
