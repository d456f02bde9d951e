/**
 * Splits a shell script into simple commands and their words. Commands inside `$(…)` are included.
 * It supports only the part of the shell language that the documentation uses.
 */

/** Words before a command that are not part of it. */
const PREFIX = /^(?:\w+=.*|npx|sudo|timeout|!|if|then|else|do|while|until|time|exec)$/s;
/** Options with a value for the words in `PREFIX`. */
const PREFIX_OPTIONS: Readonly<Record<string, readonly string[]>> = { sudo: ['-u'] };

/** Returns the words after `holdfast` for each Holdfast command. */
export function ownCommands(script: string): string[][] {
  return shellCommands(script).flatMap((words) => {
    const rest = withoutPrefixes(words);
    return rest[0] === 'holdfast' ? [rest.slice(1)] : [];
  });
}

function withoutPrefixes(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === undefined || !PREFIX.test(first)) return words;
  if (first === 'timeout') return withoutPrefixes(words.slice(2));
  const hasOption = second !== undefined && PREFIX_OPTIONS[first]?.includes(second);
  return withoutPrefixes(words.slice(hasOption ? 3 : 1));
}

export function shellCommands(script: string): string[][] {
  return new Reader(script).read();
}

class Reader {
  readonly #text: string;
  #at = 0;
  readonly #commands: string[][] = [];
  #words: string[] = [];
  #word: string | undefined;
  /** True if the next word is the file name of a redirection. */
  #redirects = false;
  #hereEnd: string | undefined;

  constructor(text: string) {
    this.#text = text.replaceAll(/\\\n/g, ' ');
  }

  read(): string[][] {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at++));
    this.#endCommand();
    return this.#commands;
  }

  #step(char: string): void {
    if (char === '#' && this.#word === undefined) this.#skipTo('\n');
    else if (char === '\n') this.#endLine();
    else if (/\s/.test(char)) this.#endWord();
    else if (char === '>' || char === '<') this.#redirect(char);
    else if (/[;|&()]/.test(char)) this.#endCommand();
    else if (char === "'") this.#add(this.#skipTo("'"));
    else if (char === '"') this.#quoted();
    else if (char === '\\') this.#add(this.#text.charAt(this.#at++));
    else if (char === '$' && this.#text.charAt(this.#at) === '(') this.#substitution();
    else this.#add(char);
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  /** Skips the text up to `end`, including `end`, and returns the text before it. */
  #skipTo(end: string): string {
    const found = this.#text.indexOf(end, this.#at);
    const until = found < 0 ? this.#text.length : found;
    const text = this.#text.slice(this.#at, until);
    this.#at = end === '\n' ? until : until + end.length;
    return text;
  }

  #quoted(): void {
    this.#add('');
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at++);
      if (char === '"') return;
      if (char === '\\') this.#add(this.#text.charAt(this.#at++));
      else if (char === '$' && this.#text.charAt(this.#at) === '(') this.#substitution();
      else this.#add(char);
    }
  }

  #substitution(): void {
    const from = ++this.#at;
    for (let depth = 1; depth > 0 && this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === '(') depth++;
      if (char === ')') depth--;
    }
    const inner = this.#text.slice(from, this.#at - 1);
    this.#commands.push(...shellCommands(inner));
    this.#add('$(…)');
  }

  #redirect(char: string): void {
    if (/^\d$/.test(this.#word ?? '')) this.#word = undefined;
    this.#endWord();
    const rest = /^[>&|-]?/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += rest.length;
    if (char === '<' && rest === '' && this.#text.charAt(this.#at) === '<') {
      const [mark, end = ''] = /^<-?\s*'?(\w+)'?/.exec(this.#text.slice(this.#at)) ?? [''];
      this.#at += mark.length;
      this.#hereEnd = end;
    } else this.#redirects = true;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (!this.#redirects) this.#words.push(this.#word);
    this.#redirects = false;
    this.#word = undefined;
  }

  #endLine(): void {
    this.#endCommand();
    if (this.#hereEnd === undefined) return;
    this.#skipTo(`\n${this.#hereEnd}`);
    this.#hereEnd = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }
}
