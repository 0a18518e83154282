import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ContentModelFormatState, IEditor } from 'roosterjs';
import { own } from '../../theme/own-tokens.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { LightPaper } from '../LightPaper.tsx';
import { isPictureAlone } from './editor-html.ts';
import { EditorToolbar } from './EditorToolbar.tsx';
import { createRooster, type EditorHandle, handleOf, placeCaret } from './rooster.ts';

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
  /** Files that were pasted into the text, dropped on it, or chosen as pictures for it. */
  onFiles: (files: File[]) => void;
}

/** Rich text on white paper in both themes: that is how it will be read. */
export function Editor(props: Props) {
  const { initialHtml, label, describedBy, isInvalid = false, isBare = false, renderBelow, onFiles } = props;
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
    const html = event.clipboardData.getData('text/html');
    // programs put a picture of the cells or words beside them
    if (files.length === 0 || (html !== '' && !isPictureAlone(html))) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(files);
  };
  const handleDrop = (event: React.DragEvent): void => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    if (editor) placeCaret(editor, event.clientX, event.clientY);
    onFiles(files);
  };

  const tools = <EditorToolbar editor={editor} format={format} onFiles={onFiles} />;
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
          onDrop={handleDrop}
        />
      </LightPaper>
      {renderBelow?.(tools)}
    </div>
  );
}
