import {
  addSegment,
  AutoFormatPlugin,
  type ContentModelBlock,
  type ContentModelDocument,
  type ContentModelFormatState,
  createContentModelDocument,
  createImage,
  createModelFromHtml,
  type DOMCreator,
  Editor,
  type EditorPlugin,
  EditPlugin,
  exportContent,
  getFormatState,
  type IEditor,
  mergeModel,
  paste,
  PastePlugin,
  ShortcutPlugin,
  type Snapshots,
} from 'roosterjs';
import { parseSanitized } from '../../lib/sanitize.ts';
import { blankLine, textFont } from './editor-html.ts';

/** What can be asked of the editor. */
export interface EditorHandle {
  html: () => string;
  clear: () => void;
  focus: () => void;
  /** Puts a picture where the cursor is. `name` is what is read out in its place. */
  insertPicture: (source: string, name: string) => void;
  /** Changes blocks in one step that can be undone. */
  change: (run: (model: ContentModelDocument, parse: (html: string) => ContentModelBlock[]) => void) => void;
}

interface Watched {
  format: (state: ContentModelFormatState) => void;
  change: () => void;
}

/** Characters of all steps that can be undone: each holds the whole text, its pictures included. */
const UNDO_CHARACTERS = 50_000_000;

function watch(watched: Watched): EditorPlugin {
  let editor: IEditor | null = null;
  return {
    getName: () => 'Watch',
    initialize: (created) => {
      editor = created;
    },
    dispose: () => {
      editor = null;
    },
    onPluginEvent: ({ eventType }) => {
      if (!editor) return;
      if (['keyUp', 'mouseUp', 'contentChanged'].includes(eventType)) watched.format(getFormatState(editor));
      if (['input', 'compositionEnd', 'contentChanged'].includes(eventType)) watched.change();
    },
  };
}

/**
 * Keeps the spaces and line ends of pasted code. The editor does not accept `white-space: pre`, and
 * would drop the indentation of each line.
 */
const spacesOfCode: EditorPlugin = {
  getName: () => 'SpacesOfCode',
  initialize: () => undefined,
  dispose: () => undefined,
  onPluginEvent: (event) => {
    if (event.eventType !== 'beforePaste') return;
    for (const { style } of event.fragment.querySelectorAll<HTMLElement>('[style]')) {
      if (style.whiteSpace === 'pre') style.whiteSpace = 'pre-wrap';
    }
  },
};

/** Elements that no mail program shows. Some of them load what is elsewhere. */
const unwanted = ['style', 'form', 'input', 'button', 'select', 'textarea', 'video', 'audio', 'source', 'svg', 'math'];

/**
 * Pasted HTML, and what an undo brings back, is sanitised before any of it belongs to the page. It
 * loads nothing from elsewhere.
 */
const domCreator: DOMCreator = {
  htmlToDOM: (html) => {
    const page = parseSanitized(html, { forbid: unwanted });
    for (const image of page.querySelectorAll('img')) unloadPicture(image);
    for (const element of page.querySelectorAll('[background]')) element.removeAttribute('background');
    for (const element of page.querySelectorAll<HTMLElement>('[style]')) unloadStyle(element.style);
    return page;
  },
};

function unloadStyle(style: CSSStyleDeclaration): void {
  const loading = [...style].filter((name) => /url\(|image-set\(/i.test(style.getPropertyValue(name)));
  for (const name of loading) style.removeProperty(name);
}

/**
 * A picture on another server is not loaded while the message is written: an attribute keeps its
 * address until the message is sent. A picture from the writer's own disk cannot be shown, so its
 * alternative text takes its place.
 */
function unloadPicture(image: HTMLImageElement): void {
  const source = image.getAttribute('src');
  image.removeAttribute('srcset');
  if (
    source !== null &&
    /^(?:https?:)?\/\//i.test(source.trim()) &&
    new URL(source, location.href).origin !== location.origin
  ) {
    image.setAttribute('data-remote-src', source);
    image.removeAttribute('src');
  } else if (!source && !image.hasAttribute('data-remote-src')) {
    image.replaceWith(image.alt);
  }
}

/** Makes an editor of an element. */
export function createRooster(area: HTMLDivElement, html: string, watched: Watched): IEditor {
  const snapshots: Snapshots = {
    snapshots: [],
    totalSize: 0,
    currentIndex: -1,
    autoCompleteIndex: -1,
    maxSize: UNDO_CHARACTERS,
  };
  return new Editor(area, {
    plugins: [
      new PastePlugin(),
      spacesOfCode,
      // Elsewhere Tab leaves the text, as it leaves a field
      new EditPlugin({ handleTabKey: { indentParagraph: false, indentMultipleBlocks: false } }),
      new AutoFormatPlugin({ autoLink: true, autoBullet: true, autoNumbering: true }),
      new ShortcutPlugin(),
      watch(watched),
    ],
    trustedHTMLHandler: domCreator,
    initialModel: createModelFromHtml(html, undefined, domCreator),
    defaultSegmentFormat: textFont,
    snapshots,
  });
}

function parseBlocks(html: string): ContentModelBlock[] {
  return createModelFromHtml(html, undefined, domCreator).blocks;
}

/** Pastes a text without formats, as the person could paste it themselves. */
export function pasteText(editor: IEditor, text: string): void {
  const nothing = { rawHtml: null, image: null, files: [], customValues: {} };
  paste(editor, { types: ['text/plain'], text, ...nothing }, 'asPlainText');
}

/** What the owner of an editor may ask of it. */
export function handleOf(editor: IEditor): EditorHandle {
  return {
    html: () => exportContent(editor),
    focus: () => editor.focus(),
    insertPicture: (source, name) => {
      if (!editor.isDisposed()) insertPicture(editor, source, name);
    },
    clear: () => {
      editor.formatContentModel((model) => {
        model.blocks = parseBlocks(blankLine);
        return true;
      });
    },
    change: (run) => {
      editor.formatContentModel((model) => {
        // What is cached of a block is made anew when its group changes
        run(model as ContentModelDocument, parseBlocks);
        return true;
      });
    },
  };
}

/**
 * Puts the cursor at the start of a text that never had one. The editor's cached model has no
 * cursor either and would insert nothing, so the cache is cleared.
 */
export function ensureCaret(editor: IEditor): void {
  const hadCaret = editor.getDOMSelection() !== null;
  editor.focus();
  if (hadCaret) return;
  editor.formatContentModel((_model, context) => {
    context.clearModelCache = true;
    return false;
  });
}

/** The editor's own function selects the picture, so that the next key would replace it. */
function insertPicture(editor: IEditor, source: string, name: string): void {
  ensureCaret(editor);
  editor.formatContentModel(
    (model, context) => {
      const image = createImage(source);
      image.alt = name;
      const inserted = createContentModelDocument();
      addSegment(inserted, image);
      mergeModel(model, inserted, context);
      return true;
    },
    { scrollCaretIntoView: true },
  );
}

/** Puts the cursor where something was dropped. */
export function placeCaret(editor: IEditor, x: number, y: number): void {
  const page = editor.getDocument();
  const place = page.caretPositionFromPoint?.(x, y);
  if (!place || !editor.getDOMHelper().isNodeInEditor(place.offsetNode)) return;
  const range = page.createRange();
  range.setStart(place.offsetNode, place.offset);
  editor.focus();
  editor.setDOMSelection({ type: 'range', range, isReverted: false });
}
