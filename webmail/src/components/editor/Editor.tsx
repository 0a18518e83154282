import { signOf } from '@selvage/core/contracts/key-sign';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ContentModelFormatState, IEditor } from 'roosterjs';
import { carriesFiles, markAsOfText } from '../../lib/dragged-files.ts';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { editorWords } from '../../words/editor.ts';
import { notify } from '../feedback/notify.ts';
import { IconButton } from '../IconButton.tsx';
import { LightPaper } from '../LightPaper.tsx';
import { fitOfPaste, isPictureAlone, QUOTE_ID } from './editor-html.ts';
import { EditorToolbar } from './EditorToolbar.tsx';
import { createRooster, type EditorHandle, handleOf, pasteText, placeCaret } from './roosterjs-editor.ts';

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
  // Only hidden: the folded quote stays in the text
  folded: { [`& > #${QUOTE_ID}, & > #${QUOTE_ID} ~ *`]: { display: 'none' } },
  fold: { alignSelf: 'flex-start', margin: tokens.spacingVerticalXS },
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
  /** What is quoted is hidden until the person asks for it. */
  startsFolded?: boolean;
  /** Puts the tools below the text, among what else belongs there. */
  renderBelow?: (tools: ReactNode) => ReactNode;
  onReady: (handle: EditorHandle) => void;
  onChange?: () => void;
  /** Files that were pasted into the text, dropped on it, or chosen as pictures for it. */
  onFiles: (files: File[]) => void;
}

/** What the tools show of the text at the cursor. */
const shownOfFormat = [
  'isBold',
  'isItalic',
  'isUnderline',
  'isBullet',
  'isNumbering',
  'isBlockQuote',
  'isInTable',
  'fontSize',
  'textColor',
  'backgroundColor',
  'textAlign',
  'direction',
] as const;

/** With each key the editor says anew how the text at the cursor looks. */
function isSameFormat(one: ContentModelFormatState, other: ContentModelFormatState): boolean {
  return shownOfFormat.every((name) => one[name] === other[name]);
}

function hasQuoteIn(area: HTMLElement): boolean {
  return area.querySelector(`:scope > #${QUOTE_ID}`) !== null;
}

/**
 * Rich text on white paper in both themes: that is how it will be read. Alt+F10 leads to its tools.
 */
export function Editor(props: Props) {
  const { initialHtml, label, describedBy, isInvalid = false, isBare = false, renderBelow, onFiles } = props;
  const { startsFolded = false } = props;
  const styles = useStyles();
  const t = useWords(editorWords);
  const rootRef = useRef<HTMLDivElement>(null);
  const areaRef = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<IEditor | null>(null);
  const [format, setFormat] = useState<ContentModelFormatState>({});
  const [hasQuote, setHasQuote] = useState(false);
  const [isFolded, setFolded] = useState(startsFolded);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const area = areaRef.current;
    if (!area) return;
    const created = createRooster(area, initialHtml, {
      format: (next) => setFormat((known) => (isSameFormat(known, next) ? known : next)),
      change: () => {
        setHasQuote(hasQuoteIn(area));
        latest.current.onChange?.();
      },
    });
    setEditor(created);
    setHasQuote(hasQuoteIn(area));
    latest.current.onReady(handleOf(created));
    return () => created.dispose();
  }, [initialHtml]);

  const handlePaste = (event: React.ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    const html = event.clipboardData.getData('text/html');
    const text = event.clipboardData.getData('text/plain');
    // Spreadsheets and word processors also put a picture of the copied cells or words on the
    // clipboard
    const isOfFiles = files.length > 0 && (html === '' || isPictureAlone(html));
    const fit = fitOfPaste({ html, text });
    if (!isOfFiles && fit === 'whole') return;
    event.preventDefault();
    event.stopPropagation();
    if (isOfFiles) onFiles(files);
    else if (fit === 'words' && editor) {
      pasteText(editor, text);
      notify.info(t.pastedAsText);
    } else notify.failure(t.pasteTooLong);
  };
  const handleDrop = (event: React.DragEvent): void => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0 || !carriesFiles(event.dataTransfer)) return;
    event.preventDefault();
    if (editor) placeCaret(editor, event.clientX, event.clientY);
    onFiles(files);
  };

  const handleKey = (event: React.KeyboardEvent): void => {
    // Selecting everything selects the folded quote too. The person must see it before they delete
    // it
    if (signOf(event) === 'a' && (event.ctrlKey || event.metaKey)) flushSync(() => setFolded(false));
    if (event.key !== 'F10' || !event.altKey) return;
    const toolbar = rootRef.current?.querySelector('[role=toolbar]');
    event.preventDefault();
    toolbar?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  };

  const tools = <EditorToolbar editor={editor} format={format} onFiles={onFiles} />;
  return (
    <div ref={rootRef} className={styles.root}>
      {!renderBelow && tools}
      <LightPaper className={mergeClasses(styles.paper, isBare && styles.bare, isInvalid && styles.invalid)}>
        <div
          ref={areaRef}
          className={mergeClasses(styles.area, isFolded && styles.folded)}
          role="textbox"
          tabIndex={0}
          aria-multiline
          aria-label={label}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy}
          contentEditable
          suppressContentEditableWarning
          aria-keyshortcuts="Alt+F10"
          onKeyDown={handleKey}
          onPasteCapture={handlePaste}
          onDragStart={({ dataTransfer }) => markAsOfText(dataTransfer)}
          onDrop={handleDrop}
        />
        {hasQuote && startsFolded && (
          <IconButton
            label={isFolded ? t.showQuote : t.hideQuote}
            size="small"
            appearance="outline"
            className={styles.fold}
            icon={<MoreHorizontalRegular />}
            aria-expanded={!isFolded}
            onClick={() => setFolded(!isFolded)}
          />
        )}
      </LightPaper>
      {renderBelow?.(tools)}
    </div>
  );
}
