import { Button, Input, makeStyles, Popover, PopoverSurface, PopoverTrigger, tokens } from '@fluentui/react-components';
import { ImageAddRegular } from '@fluentui/react-icons/svg/image-add';
import { LinkRegular } from '@fluentui/react-icons/svg/link';
import { TextBoldRegular } from '@fluentui/react-icons/svg/text-bold';
import { TextBulletListRegular } from '@fluentui/react-icons/svg/text-bullet-list';
import { TextClearFormattingRegular } from '@fluentui/react-icons/svg/text-clear-formatting';
import { TextItalicRegular } from '@fluentui/react-icons/svg/text-italic';
import { TextNumberListLtrRegular } from '@fluentui/react-icons/svg/text-number-list-ltr';
import { TextQuoteRegular } from '@fluentui/react-icons/svg/text-quote';
import { TextUnderlineRegular } from '@fluentui/react-icons/svg/text-underline';
import { type FormEvent, type MouseEvent, type ReactElement, useState } from 'react';
import {
  clearFormat,
  type ContentModelFormatState,
  type IEditor,
  insertLink,
  toggleBlockQuote,
  toggleBold,
  toggleBullet,
  toggleItalic,
  toggleNumbering,
  toggleUnderline,
} from 'roosterjs';
import { IconButton } from '../IconButton.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', padding: `${tokens.spacingVerticalXS} 0` },
  on: { backgroundColor: tokens.colorSubtleBackgroundSelected, color: tokens.colorBrandForeground1 },
  link: { display: 'flex', gap: tokens.spacingHorizontalS },
});

interface Tool {
  label: string;
  icon: ReactElement;
  run: (editor: IEditor) => void;
  isOn?: (format: ContentModelFormatState) => boolean | undefined;
}

const tools: Tool[] = [
  { label: 'Bold', icon: <TextBoldRegular />, run: (editor) => toggleBold(editor), isOn: (format) => format.isBold },
  { label: 'Italic', icon: <TextItalicRegular />, run: toggleItalic, isOn: (format) => format.isItalic },
  { label: 'Underline', icon: <TextUnderlineRegular />, run: toggleUnderline, isOn: (format) => format.isUnderline },
  {
    label: 'Bulleted list',
    icon: <TextBulletListRegular />,
    run: (editor) => toggleBullet(editor),
    isOn: (format) => format.isBullet,
  },
  {
    label: 'Numbered list',
    icon: <TextNumberListLtrRegular />,
    run: (editor) => toggleNumbering(editor),
    isOn: (format) => format.isNumbering,
  },
  {
    label: 'Quote',
    icon: <TextQuoteRegular />,
    run: (editor) => toggleBlockQuote(editor),
    isOn: (format) => format.isBlockQuote,
  },
  { label: 'Clear formatting', icon: <TextClearFormattingRegular />, run: clearFormat },
];

interface Props {
  editor: IEditor | null;
  format: ContentModelFormatState;
  onPicture?: (() => void) | undefined;
}

export function EditorToolbar({ editor, format, onPicture }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root} role="toolbar" aria-label="Text format">
      {tools.map(({ label, icon, run, isOn }) => {
        const pressed = isOn ? Boolean(isOn(format)) : undefined;
        return (
          <IconButton
            key={label}
            label={label}
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
      {onPicture && <IconButton label="Insert picture" size="small" icon={<ImageAddRegular />} onClick={onPicture} />}
    </div>
  );
}

function LinkTool({ editor }: { editor: IEditor | null }) {
  const styles = useStyles();
  const [isOpen, setOpen] = useState(false);
  const [address, setAddress] = useState('');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    if (!editor || !address.trim()) return;
    editor.focus();
    insertLink(editor, address.trim());
    setAddress('');
  };
  return (
    <Popover open={isOpen} trapFocus onOpenChange={(_event, data) => setOpen(data.open)}>
      <PopoverTrigger disableButtonEnhancement>
        <Button appearance="subtle" size="small" icon={<LinkRegular />} aria-label="Insert link" title="Insert link" />
      </PopoverTrigger>
      <PopoverSurface aria-label="Insert link">
        <form className={styles.link} onSubmit={handleSubmit}>
          <Input
            aria-label="Address of the link"
            placeholder="https://"
            value={address}
            onChange={(_event, data) => setAddress(data.value)}
          />
          <Button type="submit" appearance="primary">
            Insert
          </Button>
        </form>
      </PopoverSurface>
    </Popover>
  );
}
