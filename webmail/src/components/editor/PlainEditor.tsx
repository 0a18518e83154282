import { makeStyles, tokens } from '@fluentui/react-components';
import { type ClipboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { editorWords } from '../../words/editor.ts';
import { notify } from '../feedback/notify.ts';
import { LightPaper } from '../LightPaper.tsx';
import { fitOfPaste } from './editor-html.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  paper: { display: 'flex', flexGrow: 1, minHeight: '160px' },
  area: {
    flexGrow: 1,
    resize: 'none',
    border: 'none',
    outlineStyle: 'none',
    padding: tokens.spacingHorizontalM,
    colorScheme: 'light',
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
  },
});

/** What can be asked of the field of a plain text. */
export interface PlainHandle {
  text: () => string;
  setText: (text: string) => void;
  focus: () => void;
}

interface Props {
  /** What it begins with; another text makes another field. */
  initialText: string;
  /** Its name for screen readers. */
  label: string;
  /** Shown below the text. */
  below: ReactNode;
  onReady: (handle: PlainHandle) => void;
  onChange: () => void;
  onFiles: (files: File[]) => void;
}

/** A text without formats, each letter as wide as the others, since tables in it are drawn so. */
export function PlainEditor({ initialText, label, below, onReady, onChange, onFiles }: Props) {
  const styles = useStyles();
  const t = useWords(editorWords);
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(onReady);
  latest.current = onReady;
  useEffect(() => {
    const area = areaRef.current;
    if (!area) return;
    area.value = initialText;
    area.setSelectionRange(0, 0);
    latest.current({
      text: () => area.value,
      setText: (text) => {
        area.value = text;
      },
      focus: () => area.focus(),
    });
  }, [initialText]);
  const handlePaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData('text/plain');
    const isTooLong = fitOfPaste({ html: '', text }) === 'nothing';
    if (!isTooLong && (files.length === 0 || text !== '')) return;
    event.preventDefault();
    if (isTooLong) notify.failure(t.pasteTooLong);
    else onFiles(files);
  };
  return (
    <div className={styles.root}>
      <LightPaper className={styles.paper}>
        <textarea
          ref={areaRef}
          className={styles.area}
          dir="auto"
          aria-label={label}
          onChange={onChange}
          onPaste={handlePaste}
        />
      </LightPaper>
      {below}
    </div>
  );
}
