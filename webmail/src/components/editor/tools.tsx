import { HighlightRegular } from '@fluentui/react-icons/svg/highlight';
import { TextAlignCenterRegular } from '@fluentui/react-icons/svg/text-align-center';
import { TextAlignJustifyRegular } from '@fluentui/react-icons/svg/text-align-justify';
import { TextAlignLeftRegular } from '@fluentui/react-icons/svg/text-align-left';
import { TextAlignRightRegular } from '@fluentui/react-icons/svg/text-align-right';
import { TextBoldRegular } from '@fluentui/react-icons/svg/text-bold';
import { TextBulletListRegular } from '@fluentui/react-icons/svg/text-bullet-list';
import { TextClearFormattingRegular } from '@fluentui/react-icons/svg/text-clear-formatting';
import { TextColorRegular } from '@fluentui/react-icons/svg/text-color';
import { TextDirectionHorizontalLeftRegular } from '@fluentui/react-icons/svg/text-direction-horizontal-left';
import { TextFontSizeRegular } from '@fluentui/react-icons/svg/text-font-size';
import { TextItalicRegular } from '@fluentui/react-icons/svg/text-italic';
import { TextNumberListLtrRegular } from '@fluentui/react-icons/svg/text-number-list-ltr';
import { TextQuoteRegular } from '@fluentui/react-icons/svg/text-quote';
import { TextUnderlineRegular } from '@fluentui/react-icons/svg/text-underline';
import type { ReactElement } from 'react';
import {
  clearFormat,
  type ContentModelFormatState,
  formatSegmentWithContentModel,
  type IEditor,
  setAlignment,
  setDirection,
  setFontSize,
  setTextColor,
  toggleBlockQuote,
  toggleBold,
  toggleBullet,
  toggleItalic,
  toggleNumbering,
  toggleUnderline,
} from 'roosterjs';
import { type ColourName, markColours, textColours } from '../../theme/writing-colours.ts';

type Format = ContentModelFormatState;

/** A tool that is a button. `isOn` says whether the text at the cursor has it. */
export interface PressTool {
  name: 'bold' | 'italic' | 'underline' | 'bulletedList' | 'numberedList' | 'quote' | 'rightToLeft' | 'clearFormatting';
  icon: ReactElement;
  run: (editor: IEditor, format: Format) => void;
  isOn?: (format: Format) => boolean | undefined;
}

/** What can be chosen of a tool that is a menu. */
export interface Choice {
  value: string;
  /** Its word in the catalogue. */
  name: ColourName | 'none' | 'small' | 'normal' | 'large' | 'huge' | 'left' | 'centre' | 'right' | 'justify';
  /** The colour that is shown beside it. */
  colour?: string;
  icon?: ReactElement;
}

/** A tool that is a menu. `chosen` is the value that the text at the cursor has. */
export interface ChoiceTool {
  name: 'textColour' | 'highlight' | 'fontSize' | 'alignment';
  icon: ReactElement;
  choices: readonly Choice[];
  chosen: (format: Format) => string;
  run: (editor: IEditor, value: string) => void;
}

const NONE = '';
const NORMAL_SIZE = '11pt';

function coloursOf(colours: Partial<Record<ColourName, string>>): Choice[] {
  const all = Object.entries(colours) as [ColourName, string][];
  return [{ value: NONE, name: 'none' }, ...all.map(([name, colour]) => ({ value: colour, name, colour }))];
}

export const pressTools: Readonly<Record<PressTool['name'], PressTool>> = {
  bold: {
    name: 'bold',
    icon: <TextBoldRegular />,
    run: (editor) => toggleBold(editor),
    isOn: (format) => format.isBold,
  },
  italic: {
    name: 'italic',
    icon: <TextItalicRegular />,
    run: (editor) => toggleItalic(editor),
    isOn: (format) => format.isItalic,
  },
  underline: {
    name: 'underline',
    icon: <TextUnderlineRegular />,
    run: (editor) => toggleUnderline(editor),
    isOn: (format) => format.isUnderline,
  },
  bulletedList: {
    name: 'bulletedList',
    icon: <TextBulletListRegular />,
    run: (editor) => toggleBullet(editor),
    isOn: (format) => format.isBullet,
  },
  numberedList: {
    name: 'numberedList',
    icon: <TextNumberListLtrRegular />,
    run: (editor) => toggleNumbering(editor),
    isOn: (format) => format.isNumbering,
  },
  quote: {
    name: 'quote',
    icon: <TextQuoteRegular />,
    run: (editor) => toggleBlockQuote(editor),
    isOn: (format) => format.isBlockQuote,
  },
  rightToLeft: {
    name: 'rightToLeft',
    icon: <TextDirectionHorizontalLeftRegular />,
    run: (editor, { direction }) => setDirection(editor, direction === 'rtl' ? 'ltr' : 'rtl'),
    isOn: ({ direction }) => direction === 'rtl',
  },
  clearFormatting: { name: 'clearFormatting', icon: <TextClearFormattingRegular />, run: clearFormat },
};

export const choiceTools: Readonly<Record<ChoiceTool['name'], ChoiceTool>> = {
  fontSize: {
    name: 'fontSize',
    icon: <TextFontSizeRegular />,
    choices: [
      { value: '9pt', name: 'small' },
      { value: NORMAL_SIZE, name: 'normal' },
      { value: '14pt', name: 'large' },
      { value: '20pt', name: 'huge' },
    ],
    chosen: ({ fontSize }) => fontSize ?? NORMAL_SIZE,
    run: setFontSize,
  },
  textColour: {
    name: 'textColour',
    icon: <TextColorRegular />,
    choices: coloursOf(textColours),
    chosen: ({ textColor }) => (isOneOf(textColours, textColor) ? textColor : NONE),
    run: (editor, value) => setTextColor(editor, value || null),
  },
  highlight: {
    name: 'highlight',
    icon: <HighlightRegular />,
    choices: coloursOf(markColours),
    chosen: ({ backgroundColor }) => (isOneOf(markColours, backgroundColor) ? backgroundColor : NONE),
    run: (editor, value) => setHighlight(editor, value),
  },
  alignment: {
    name: 'alignment',
    icon: <TextAlignLeftRegular />,
    choices: [
      { value: 'left', name: 'left', icon: <TextAlignLeftRegular /> },
      { value: 'center', name: 'centre', icon: <TextAlignCenterRegular /> },
      { value: 'right', name: 'right', icon: <TextAlignRightRegular /> },
      { value: 'justify', name: 'justify', icon: <TextAlignJustifyRegular /> },
    ],
    chosen: ({ textAlign, direction }) => sideOf(textAlign, direction === 'rtl'),
    run: (editor, value) => setAlignment(editor, value as 'left' | 'center' | 'right' | 'justify'),
  },
};

/** The editor's own function ends the selection, so that nothing more could be done with it. */
function setHighlight(editor: IEditor, value: string): void {
  editor.focus();
  formatSegmentWithContentModel(editor, 'setHighlight', (format) => {
    if (value === NONE) delete format.backgroundColor;
    else format.backgroundColor = value;
  });
}

function isOneOf(colours: Partial<Record<ColourName, string>>, colour: string | undefined): colour is string {
  return Object.values(colours).some((known) => known === colour);
}

/** The side of a text that has no alignment, or one that depends on its direction. */
function sideOf(textAlign: string | undefined, isRtl: boolean): string {
  if (textAlign === 'center' || textAlign === 'justify' || textAlign === 'left' || textAlign === 'right')
    return textAlign;
  const isEnd = textAlign === 'end';
  return isEnd === isRtl ? 'left' : 'right';
}
