import { makeStyles, tokens } from '@fluentui/react-components';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { type MouseEvent, useState } from 'react';
import type { ContentModelFormatState, IEditor } from 'roosterjs';
import { useMedia } from '../../hooks/use-media.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { editorWords } from '../../words/editor.ts';
import { IconButton } from '../IconButton.tsx';
import { Toolbar } from '../Toolbar.tsx';
import { ChoiceMenu } from './ChoiceMenu.tsx';
import { LinkTool } from './LinkTool.tsx';
import { PictureTool } from './PictureTool.tsx';
import { ensureCaret } from './roosterjs-editor.ts';
import { TableTool } from './TableTool.tsx';
import { type ChoiceTool, choiceTools, type PressTool, pressTools } from './tools.tsx';

const useStyles = makeStyles({
  root: { gap: 0, padding: `${tokens.spacingVerticalXS} 0` },
  on: { backgroundColor: tokens.colorSubtleBackgroundSelected, color: tokens.colorBrandForeground1 },
});

const { bold, italic, underline, bulletedList, numberedList, quote, rightToLeft, clearFormatting } = pressTools;
const { fontSize, textColour, highlight, alignment } = choiceTools;

interface Props {
  editor: IEditor | null;
  format: ContentModelFormatState;
  onFiles: (files: File[]) => void;
}

/** What can be done with the text. On a phone, what is used more seldom is behind a button. */
export function EditorToolbar({ editor, format, onFiles }: Props) {
  const t = useWords(editorWords);
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  const [isMoreShown, setMoreShown] = useState(false);
  const run = (act: (editor: IEditor) => void): void => {
    if (!editor) return;
    ensureCaret(editor);
    act(editor);
  };
  // A menu gives the focus back to its button when it closes, and the text takes it after that
  const runLater = (act: (editor: IEditor) => void): void => void setTimeout(() => run(act));
  const press = (tool: PressTool) => <PressButton key={tool.name} tool={tool} format={format} onRun={run} />;
  const chooser = (tool: ChoiceTool) => (
    <ChoiceMenu
      key={tool.name}
      tool={tool}
      format={format}
      onRun={(act, value) => runLater((one) => act(one, value))}
    />
  );
  const insertions = (
    <>
      <LinkTool editor={editor} />
      <PictureTool onFiles={onFiles} />
      <TableTool isInTable={format.isInTable === true} onRun={runLater} />
    </>
  );
  if (isNarrow) {
    return (
      <Toolbar label={t.toolbar} className={styles.root}>
        {[bold, italic, underline, bulletedList, numberedList].map(press)}
        {insertions}
        <IconButton
          label={t.moreTools}
          size="small"
          icon={<MoreHorizontalRegular />}
          aria-expanded={isMoreShown}
          onClick={() => setMoreShown(!isMoreShown)}
        />
        {isMoreShown && [fontSize, textColour, highlight, alignment].map(chooser)}
        {isMoreShown && [quote, rightToLeft, clearFormatting].map(press)}
      </Toolbar>
    );
  }
  return (
    <Toolbar label={t.toolbar} className={styles.root}>
      {[bold, italic, underline].map(press)}
      {[fontSize, textColour, highlight].map(chooser)}
      {[bulletedList, numberedList].map(press)}
      {chooser(alignment)}
      {insertions}
      {[quote, rightToLeft, clearFormatting].map(press)}
    </Toolbar>
  );
}

interface PressProps {
  tool: PressTool;
  format: ContentModelFormatState;
  onRun: (run: (editor: IEditor) => void) => void;
}

function PressButton({ tool: { name, icon, run, isOn }, format, onRun }: PressProps) {
  const styles = useStyles();
  const t = useWords(editorWords);
  const pressed = isOn ? Boolean(isOn(format)) : undefined;
  return (
    <IconButton
      label={t[name]}
      size="small"
      icon={icon}
      aria-pressed={pressed}
      className={pressed ? styles.on : undefined}
      // The text keeps its selection while a button is pressed
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
      onClick={() => onRun((editor) => run(editor, format))}
    />
  );
}
