import { makeStyles, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import {
  AutoFormatPlugin,
  createModelFromHtml,
  Editor as RoosterEditor,
  EditPlugin,
  exportContent,
  getFormatState,
  type ContentModelFormatState,
  type EditorPlugin,
  type IEditor,
  PastePlugin,
  ShortcutPlugin,
} from 'roosterjs';
import { LightPaper } from '../../../components/LightPaper.tsx';
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
  area: {
    flexGrow: 1,
    overflowY: 'auto',
    padding: tokens.spacingHorizontalM,
    outlineStyle: 'none',
    colorScheme: 'light',
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    overflowWrap: 'anywhere',
    ':focus-visible': { boxShadow: `inset 0 0 0 1px ${tokens.colorCompoundBrandStroke}` },
    '& blockquote': {
      margin: '8px 0 8px 8px',
      paddingLeft: tokens.spacingHorizontalM,
      borderLeft: `2px solid ${tokens.colorNeutralStroke1}`,
    },
    '& img': { maxWidth: '100%' },
  },
});

/** What the dialog may ask the editor. */
export interface EditorHandle {
  html: () => string;
  clear: () => void;
  focus: () => void;
}

interface Props {
  initialHtml: string;
  onReady: (handle: EditorHandle) => void;
  onFiles: (files: File[]) => void;
}

function watchFormat(onFormat: (state: ContentModelFormatState) => void): EditorPlugin {
  let editor: IEditor | null = null;
  return {
    getName: () => 'WatchFormat',
    initialize: (created) => {
      editor = created;
    },
    dispose: () => {
      editor = null;
    },
    onPluginEvent: ({ eventType }) => {
      const changes = ['keyUp', 'mouseUp', 'contentChanged'];
      if (editor && changes.includes(eventType)) onFormat(getFormatState(editor));
    },
  };
}

function createRooster(
  area: HTMLDivElement,
  html: string,
  onFormat: (state: ContentModelFormatState) => void,
): IEditor {
  return new RoosterEditor(area, {
    plugins: [
      new PastePlugin(),
      new EditPlugin(),
      new AutoFormatPlugin({ autoLink: true, autoBullet: true, autoNumbering: true }),
      new ShortcutPlugin(),
      watchFormat(onFormat),
    ],
    initialModel: createModelFromHtml(html),
    defaultSegmentFormat: { fontFamily: 'Segoe UI, Arial, sans-serif', fontSize: '11pt' },
  });
}

/** The rich-text part of a message, on white paper in both themes: that is how it will be read. */
export function Editor({ initialHtml, onReady, onFiles }: Props) {
  const styles = useStyles();
  const areaRef = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<IEditor | null>(null);
  const [format, setFormat] = useState<ContentModelFormatState>({});
  const ready = useRef(onReady);
  ready.current = onReady;

  useEffect(() => {
    const area = areaRef.current;
    if (!area) return;
    const created = createRooster(area, initialHtml, setFormat);
    setEditor(created);
    ready.current({
      html: () => exportContent(created),
      focus: () => created.focus(),
      clear: () => {
        created.formatContentModel((model) => {
          model.blocks = createModelFromHtml('<div><br></div>').blocks;
          return true;
        });
      },
    });
    return () => created.dispose();
  }, [initialHtml]);

  const handlePaste = (event: React.ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || event.clipboardData.types.includes('text/html')) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(files);
  };

  return (
    <div className={styles.root}>
      <EditorToolbar editor={editor} format={format} />
      <LightPaper className={styles.paper}>
        <div
          ref={areaRef}
          className={styles.area}
          role="textbox"
          tabIndex={0}
          aria-multiline
          aria-label="Message text"
          contentEditable
          suppressContentEditableWarning
          onPasteCapture={handlePaste}
        />
      </LightPaper>
    </div>
  );
}
