import type { PlainHandle } from '../../../components/editor/PlainEditor.tsx';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import { type ChosenSignature, cleared } from './composition.ts';
import { htmlOfPlain, htmlOfText, plainOf, preferPlain, withSignature } from './plain-text.ts';
import { quotedHtml } from './quoting.ts';
import { replaceSignature } from './signature.ts';
import { textOfHtml } from './text-of-html.ts';
import type { OpenMessage } from './windows.ts';

/** How soon after a key the text is taken over from the editor. */
const SOON_MS = 250;

/**
 * The text of a message while an editor has it. The message takes the text over soon after each
 * change, and before anything is done with the message.
 */
export class EditorText {
  readonly #message: OpenMessage;
  #initialHtml: string;
  #wasChanged: boolean;
  #editor: EditorHandle | null = null;
  #plain: PlainHandle | null = null;
  /** The first text as the editor returns it, to tell whether the person has changed it. */
  #startHtml = '';
  #timer = 0;

  constructor(message: OpenMessage) {
    const { html, isTextChanged } = message.composition.get();
    this.#message = message;
    this.#initialHtml = html;
    this.#wasChanged = isTextChanged;
  }

  /**
   * The text as it was when the editor opened. It must stay the same, or the editor would replace
   * what the person is writing.
   */
  get initialHtml(): string {
    return this.#initialHtml;
  }

  /** The same for a plain text. */
  get initialText(): string {
    return plainOf(this.#initialHtml) ?? '';
  }

  get isPlain(): boolean {
    return this.#message.composition.get().isPlain ?? false;
  }

  readonly handleReady = (editor: EditorHandle): void => {
    this.#editor = editor;
    this.#plain = null;
    this.#startHtml = editor.html();
  };

  readonly handlePlainReady = (plain: PlainHandle): void => {
    this.#plain = plain;
    this.#editor = null;
    this.#startHtml = htmlOfPlain(plain.text());
  };

  readonly handleChange = (): void => {
    // The next key does not restart the timer, so the text of a writer who never pauses is taken
    // over too
    this.#timer ||= window.setTimeout(this.takeOver, SOON_MS);
  };

  readonly takeOver = (): void => {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const html = this.#now();
    if (html === undefined) return;
    const isTextChanged = this.#wasChanged || html !== this.#startHtml;
    const known = this.#message.composition.get();
    const isSame = html === known.html || (!isTextChanged && !known.isTextChanged);
    if (!isSame) this.#message.write({ html, isTextChanged });
  };

  chooseSignature(next: ChosenSignature | null): void {
    this.takeOver();
    const { signature: previous, isTextChanged } = this.#message.composition.get();
    const change = { previous: cleanSignature(previous), next: cleanSignature(next) };
    this.#editor?.change((model, parse) => replaceSignature(model, parse, change));
    this.#plain?.setText(withSignature(this.#plain.text(), change));
    const html = this.#now() ?? this.#initialHtml;
    // Another signature does not count as written text
    if (!isTextChanged) this.#startHtml = html;
    this.#message.write({ signature: next, html });
  }

  /** Goes on as plain text, or with formats; the next message begins like this. */
  setPlain(isPlain: boolean): void {
    this.takeOver();
    const { isTextChanged, signature } = this.#message.composition.get();
    const html = this.html();
    const changed = isPlain
      ? htmlOfPlain(textOfHtml(html))
      : htmlOfText(plainOf(html) ?? '', cleanSignature(signature));
    this.#initialHtml = changed;
    this.#wasChanged = isTextChanged;
    this.#editor = null;
    this.#plain = null;
    preferPlain(isPlain);
    this.#message.write({ html: changed, isPlain });
  }

  /** Empties the message, and its text with it. */
  clearAll(): void {
    const { composition, files, fileProblems, largePictures } = this.#message;
    this.#editor?.clear();
    this.#plain?.setText('');
    this.#startHtml = this.#now() ?? '';
    files.clear();
    fileProblems.set([]);
    largePictures.set([]);
    composition.set(cleared(composition.get(), this.#startHtml));
  }

  focus(): void {
    this.#editor?.focus();
    this.#plain?.focus();
  }

  html(): string {
    return this.#now() ?? this.#message.composition.get().html;
  }

  insertPicture(source: string, name: string): boolean {
    this.#editor?.insertPicture(source, name);
    return this.#editor !== null;
  }

  /** The text in the editor; undefined without an editor. */
  #now(): string | undefined {
    return this.#plain ? htmlOfPlain(this.#plain.text()) : this.#editor?.html();
  }
}

function cleanSignature(signature: ChosenSignature | null): string {
  return signature ? quotedHtml(signature.signature_body) : '';
}
