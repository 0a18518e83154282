import { atom } from 'nanostores';
import { uniqueId } from '../../../lib/unique-id.ts';
import { changed, type Composition, type Content } from './composition.ts';
import { Autosaver } from './autosave.ts';
import { type Keepable, Keeper, type KeepState } from './keeping.ts';

/** The phase of a message between writing and sending. */
export type SendState =
  /** `asks` is set while the window asks whether to send a message that was sent before. */
  | { phase: 'writing'; problem: string | null; asks?: 'again' }
  /** `progress` of the upload, 0 to 1; null without files. */
  | { phase: 'sending'; progress: number | null }
  /** No answer came to the sending, so the page asks the server. */
  | { phase: 'asking' };

/** The text of a message while an editor has it. */
export interface ShownText {
  takeOver: () => void;
  html: () => string;
  /** False if the text can't hold a picture. */
  insertPicture: (source: string, name: string) => boolean;
}

const writing: SendState = { phase: 'writing', problem: null };

/** A message that this tab holds, with what its window shows. */
export class OpenMessage implements Keepable {
  /** The window's own name, which stays. */
  readonly key = uniqueId();
  readonly composition;
  readonly files;
  readonly state = atom<SendState>(writing);
  readonly keeping = atom<KeepState>('kept');
  /** Why files were left out. */
  readonly fileProblems = atom<readonly string[]>([]);
  /** Pictures among them that could go in a smaller size. */
  readonly largePictures = atom<readonly File[]>([]);
  readonly keeper: Keeper;
  readonly saver: Autosaver;
  isShown = false;
  isParked = false;
  /** The person has folded its window to a bar. */
  isMinimised = false;
  /** Grows with each use, so that the window that was used last is known. */
  usedAt = 0;
  takeText: (() => void) | null = null;
  /** Null while no window shows it. */
  shownText: ShownText | null = null;
  /** Resolves when all pictures and files are attached that are still being prepared. */
  preparing: Promise<unknown> = Promise.resolve();

  /** @param isKept the composition is as this browser keeps it, and this tab is the holder */
  constructor(composition: Composition, { isKept, files = new Map() }: { isKept: boolean; files?: Map<string, File> }) {
    this.composition = atom(composition);
    this.files = files;
    this.keeper = new Keeper(this, isKept);
    this.saver = new Autosaver(this);
  }

  /** Takes over a change of the person. */
  write(content: Partial<Content>): void {
    this.composition.set(changed(this.composition.get(), content));
  }

  /** Tells the message which editor has its text, until the returned function is called. */
  attachText(text: ShownText): () => void {
    this.shownText = text;
    this.takeText = text.takeOver;
    return () => {
      this.takeText?.();
      this.takeText = null;
      this.shownText = null;
    };
  }

  say(problem: string | null): void {
    this.state.set({ phase: 'writing', problem });
  }
}

/**
 * The messages that this tab holds. The shown ones are side by side, or the last one fills the
 * screen. A closed message stays in the list while it is being sent, or if this browser can't keep
 * it.
 */
export const messages = atom<readonly OpenMessage[]>([]);

let uses = 0;

/** Puts a message on top of the others. */
export function showMessage(message: OpenMessage): void {
  message.isShown = true;
  message.isMinimised = false;
  message.usedAt = ++uses;
  message.isParked = false;
  messages.set([...messages.get().filter((other) => other !== message), message]);
}

/** Folds the window of a message to a bar, or unfolds it. */
export function foldMessage(message: OpenMessage, isMinimised: boolean): void {
  message.isMinimised = isMinimised;
  message.usedAt = ++uses;
  messages.set([...messages.get()]);
}

/**
 * Notes that the person uses this window. If there is no room for all windows, the others are
 * folded first.
 */
export function noteUse(message: OpenMessage): void {
  if (message.usedAt !== uses) message.usedAt = ++uses;
}

/** Takes over the texts of the editors, before their windows move. */
export function takeTexts(): void {
  for (const message of messages.get()) message.takeText?.();
}

/** Holds a message without showing it. */
export function holdMessage(message: OpenMessage): void {
  message.isShown = false;
  messages.set([...messages.get().filter((other) => other !== message), message]);
}

/** Lets go of a message. */
export function dropMessage(message: OpenMessage): void {
  message.keeper.stop();
  message.saver.stop();
  messages.set(messages.get().filter((other) => other !== message));
}

export function findMessage(id: string): OpenMessage | undefined {
  return messages.get().find(({ composition }) => composition.get().id === id);
}
