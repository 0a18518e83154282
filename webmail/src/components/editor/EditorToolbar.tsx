import { makeStyles, tokens } from '@fluentui/react-components';
import { TextBoldRegular } from '@fluentui/react-icons/svg/text-bold';
import { TextBulletListRegular } from '@fluentui/react-icons/svg/text-bullet-list';
import { TextClearFormattingRegular } from '@fluentui/react-icons/svg/text-clear-formatting';
import { TextItalicRegular } from '@fluentui/react-icons/svg/text-italic';
import { TextNumberListLtrRegular } from '@fluentui/react-icons/svg/text-number-list-ltr';
import { TextQuoteRegular } from '@fluentui/react-icons/svg/text-quote';
import { TextUnderlineRegular } from '@fluentui/react-icons/svg/text-underline';
import type { MouseEvent, ReactElement } from 'react';
import {
  clearFormat,
  type ContentModelFormatState,
  type IEditor,
  toggleBlockQuote,
  toggleBold,
  toggleBullet,
  toggleItalic,
  toggleNumbering,
  toggleUnderline,
} from 'roosterjs';
import { useWords } from '../../lib/i18n.ts';
import { editorWords } from '../../words/editor.ts';
import { IconButton } from '../IconButton.tsx';
import { Toolbar } from '../Toolbar.tsx';
import { LinkTool } from './LinkTool.tsx';
import { PictureTool } from './PictureTool.tsx';

const useStyles = makeStyles({
  root: { gap: 0, padding: `${tokens.spacingVerticalXS} 0` },
  on: { backgroundColor: tokens.colorSubtleBackgroundSelected, color: tokens.colorBrandForeground1 },
});

interface Tool {
  name: 'bold' | 'italic' | 'underline' | 'bulletedList' | 'numberedList' | 'quote' | 'clearFormatting';
  icon: ReactElement;
  run: (editor: IEditor) => void;
  isOn?: (format: ContentModelFormatState) => boolean | undefined;
}

const tools: Tool[] = [
  { name: 'bold', icon: <TextBoldRegular />, run: (editor) => toggleBold(editor), isOn: (format) => format.isBold },
  { name: 'italic', icon: <TextItalicRegular />, run: toggleItalic, isOn: (format) => format.isItalic },
  { name: 'underline', icon: <TextUnderlineRegular />, run: toggleUnderline, isOn: (format) => format.isUnderline },
  {
    name: 'bulletedList',
    icon: <TextBulletListRegular />,
    run: (editor) => toggleBullet(editor),
    isOn: (format) => format.isBullet,
  },
  {
    name: 'numberedList',
    icon: <TextNumberListLtrRegular />,
    run: (editor) => toggleNumbering(editor),
    isOn: (format) => format.isNumbering,
  },
  {
    name: 'quote',
    icon: <TextQuoteRegular />,
    run: (editor) => toggleBlockQuote(editor),
    isOn: (format) => format.isBlockQuote,
  },
  { name: 'clearFormatting', icon: <TextClearFormattingRegular />, run: clearFormat },
];

interface Props {
  editor: IEditor | null;
  format: ContentModelFormatState;
  onFiles: (files: File[]) => void;
}

export function EditorToolbar({ editor, format, onFiles }: Props) {
  const styles = useStyles();
  const t = useWords(editorWords);
  return (
    <Toolbar label={t.toolbar} className={styles.root}>
      {tools.map(({ name, icon, run, isOn }) => {
        const pressed = isOn ? Boolean(isOn(format)) : undefined;
        return (
          <IconButton
            key={name}
            label={t[name]}
            size="small"
            icon={icon}
            aria-pressed={pressed}
            className={pressed ? styles.on : undefined}
            // the text keeps its selection while a button is pressed
            onMouseDown={(event: MouseEvent) => event.preventDefault()}
            onClick={() => editor && run(editor)}
          />
        );
      })}
      <LinkTool editor={editor} />
      <PictureTool onFiles={onFiles} />
    </Toolbar>
  );
}
