import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  AutoFormatPlugin,
  type ContentModelBlock,
  type ContentModelDocument,
  type ContentModelFormatState,
  createModelFromHtml,
  type DOMCreator,
  Editor as RoosterEditor,
  type EditorPlugin,
  EditPlugin,
  exportContent,
  getFormatState,
  type IEditor,
  insertImage,
  PastePlugin,
  ShortcutPlugin,
} from 'roosterjs';
import { parseSanitized } from '../../lib/sanitize.ts';
import { own } from '../../theme/own-tokens.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { LightPaper } from '../LightPaper.tsx';
import { EditorToolbar } from './EditorToolbar.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  paper: {
    display: 'flex',
    flexDirection: 'column',
    flexGrow: 1,
    minHeight: '160px',
    borderRadius: tokens.borderRadiusMedium,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    overflow: 'hidden',
  },
  bare: { border: 'none', '& > *:focus-visible': { boxShadow: 'none' } },
  invalid: { border: `1px solid ${own.stateBad}` },
  area: {
    flexGrow: 1,
    overflowY: 'auto',
    padding: tokens.spacingHorizontalM,
    colorScheme: 'light',
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    overflowWrap: 'anywhere',
    ...focusRingInside,
    '& blockquote': {
      margin: '8px 0 8px 8px',
      paddingLeft: tokens.spacingHorizontalM,
      borderLeft: `2px solid ${tokens.colorNeutralStroke1}`,
    },
    '& img': { maxWidth: '100%' },
  },
});

/** What can be asked of the editor. */
export interface EditorHandle {
  html: () => string;
  clear: () => void;
  focus: () => void;
  insertPicture: (source: string) => void;
  /** Changes blocks in one step that can be undone. */
  change: (run: (model: ContentModelDocument, parse: (html: string) => ContentModelBlock[]) => void) => void;
}

interface Props {
  /** What it begins with; another text makes another editor. */
  initialHtml: string;
  /** Its name for screen readers. */
  label: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  /** Without a border, where the window around it is border enough. */
  isBare?: boolean;
  /** Puts the tools below the text, among what else belongs there. */
  renderBelow?: (tools: ReactNode) => ReactNode;
  onReady: (handle: EditorHandle) => void;
  onChange?: () => void;
  onFiles: (files: File[]) => void;
  /** Opens the choice of a picture, where pictures may stand in the text. */
  onPicture?: () => void;
}

interface Watched {
  format: (state: ContentModelFormatState) => void;
  change: () => void;
}

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

/** Pasted HTML, and what an undo brings back, is sanitised before any of it belongs to the page. */
const domCreator: DOMCreator = { htmlToDOM: (html) => parseSanitized(html) };

function createRooster(area: HTMLDivElement, html: string, watched: Watched): IEditor {
  return new RoosterEditor(area, {
    plugins: [
      new PastePlugin(),
      new EditPlugin(),
      new AutoFormatPlugin({ autoLink: true, autoBullet: true, autoNumbering: true }),
      new ShortcutPlugin(),
      watch(watched),
    ],
    trustedHTMLHandler: domCreator,
    initialModel: createModelFromHtml(html, undefined, domCreator),
    defaultSegmentFormat: { fontFamily: 'Segoe UI, Arial, sans-serif', fontSize: '11pt' },
  });
}

function parseBlocks(html: string): ContentModelBlock[] {
  return createModelFromHtml(html, undefined, domCreator).blocks;
}

function handleOf(editor: IEditor): EditorHandle {
  return {
    html: () => exportContent(editor),
    focus: () => editor.focus(),
    insertPicture: (source) => insertImage(editor, source),
    clear: () => {
      editor.formatContentModel((model) => {
        model.blocks = parseBlocks('<div><br></div>');
        return true;
      });
    },
    change: (run) => {
      editor.formatContentModel((model) => {
        // what is cached of a block is made anew when its group changes
        run(model as ContentModelDocument, parseBlocks);
        return true;
      });
    },
  };
}

/** Rich text on white paper in both themes: that is how it will be read. */
export function Editor(props: Props) {
  const { initialHtml, label, describedBy, isInvalid = false, isBare = false, renderBelow, onFiles, onPicture } = props;
  const styles = useStyles();
  const areaRef = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<IEditor | null>(null);
  const [format, setFormat] = useState<ContentModelFormatState>({});
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const area = areaRef.current;
    if (!area) return;
    const created = createRooster(area, initialHtml, {
      format: setFormat,
      change: () => latest.current.onChange?.(),
    });
    setEditor(created);
    latest.current.onReady(handleOf(created));
    return () => created.dispose();
  }, [initialHtml]);

  const handlePaste = (event: React.ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || event.clipboardData.types.includes('text/html')) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(files);
  };

  const tools = <EditorToolbar editor={editor} format={format} onPicture={onPicture} />;
  return (
    <div className={styles.root}>
      {!renderBelow && tools}
      <LightPaper className={mergeClasses(styles.paper, isBare && styles.bare, isInvalid && styles.invalid)}>
        <div
          ref={areaRef}
          className={styles.area}
          role="textbox"
          tabIndex={0}
          aria-multiline
          aria-label={label}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy}
          contentEditable
          suppressContentEditableWarning
          onPasteCapture={handlePaste}
        />
      </LightPaper>
      {renderBelow?.(tools)}
    </div>
  );
}
