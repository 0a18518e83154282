import type { EditorHandle } from '../../../components/editor/rooster.ts';
import { type ChosenSignature, cleared } from './composition.ts';
import { quotedHtml } from './quoting.ts';
import { replaceSignature } from './signature.ts';
import type { OpenMessage } from './windows.ts';

/** How soon after a key the text is taken over from the editor. */
const SOON_MS = 250;

/**
 * The text of a message while it stands in an editor. It is taken over soon after each change, and
 * before anything is done with it.
 */
export class EditorText {
  readonly #message: OpenMessage;
  /**
   * As it was when the window opened: what is being written must not change under the writer's
   * hands.
   */
  readonly initialHtml: string;
  readonly #wasChanged: boolean;
  #editor: EditorHandle | null = null;
  /** What the editor made of the first text, to tell whether the person wrote. */
  #startHtml = '';
  #timer = 0;

  constructor(message: OpenMessage) {
    const { html, isTextChanged } = message.composition.get();
    this.#message = message;
    this.initialHtml = html;
    this.#wasChanged = isTextChanged;
  }

  readonly handleReady = (editor: EditorHandle): void => {
    this.#editor = editor;
    this.#startHtml = editor.html();
  };

  readonly handleChange = (): void => {
    // not put off by the next key: a writer who never pauses is kept too
    this.#timer ||= window.setTimeout(this.takeOver, SOON_MS);
  };

  readonly takeOver = (): void => {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const html = this.#editor?.html();
    if (html === undefined) return;
    const isTextChanged = this.#wasChanged || html !== this.#startHtml;
    const known = this.#message.composition.get();
    const isSame = html === known.html || (!isTextChanged && !known.isTextChanged);
    if (!isSame) this.#message.write({ html, isTextChanged });
  };

  chooseSignature(next: ChosenSignature | null): void {
    this.takeOver();
    const { signature: previous, isTextChanged } = this.#message.composition.get();
    const clean = (one: ChosenSignature | null): string => (one ? quotedHtml(one.signature_body) : '');
    this.#editor?.change((model, parse) => {
      replaceSignature(model, parse, { previous: clean(previous), next: clean(next) });
    });
    const html = this.#editor?.html() ?? this.initialHtml;
    // choosing is not writing
    if (!isTextChanged) this.#startHtml = html;
    this.#message.write({ signature: next, html });
  }

  /** Empties the message, and its text with it. */
  clearAll(): void {
    const { composition, files, fileProblems, largePictures } = this.#message;
    this.#editor?.clear();
    this.#startHtml = this.#editor?.html() ?? '';
    files.clear();
    fileProblems.set([]);
    largePictures.set([]);
    composition.set(cleared(composition.get(), this.#startHtml));
  }

  focus(): void {
    this.#editor?.focus();
  }

  html(): string {
    return this.#editor?.html() ?? this.#message.composition.get().html;
  }

  insertPicture(source: string, name: string): void {
    this.#editor?.insertPicture(source, name);
  }
}
