import { makeStyles, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Menu } from '@fluentui/react-components';
import type { ContentModelFormatState } from 'roosterjs';
import { useWords } from '../../lib/i18n.ts';
import { editorWords } from '../../words/editor.ts';
import { IconButton } from '../IconButton.tsx';
import type { Choice, ChoiceTool } from './tools.tsx';

const useStyles = makeStyles({
  swatch: { display: 'inline-block', width: '16px', height: '16px', borderRadius: '3px' },
  list: { maxHeight: 'min(360px, 60dvh)', overflowY: 'auto' },
});

interface Props {
  tool: ChoiceTool;
  format: ContentModelFormatState;
  onRun: (run: ChoiceTool['run'], value: string) => void;
}

/** A menu from which one look of the text is chosen: a colour, a size, an alignment. */
export function ChoiceMenu({ tool, format, onRun }: Props) {
  const styles = useStyles();
  const t = useWords(editorWords);
  const { name, icon, choices, chosen, run } = tool;
  return (
    <Menu
      checkedValues={{ [name]: [chosen(format)] }}
      onCheckedValueChange={(_event, { checkedItems: [value = ''] }) => onRun(run, value)}
    >
      <MenuTrigger disableButtonEnhancement>
        <IconButton label={t[name]} size="small" icon={icon} />
      </MenuTrigger>
      <MenuPopover>
        <MenuList aria-label={t[name]} className={styles.list}>
          {choices.map((choice) => (
            <MenuItemRadio key={choice.value} name={name} value={choice.value} icon={<Sign choice={choice} />}>
              {t[choice.name]}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

function Sign({ choice: { colour, icon } }: { choice: Choice }) {
  const styles = useStyles();
  if (icon) return icon;
  // The colour of the text, which is no part of the theme
  return colour === undefined ? null : <span className={styles.swatch} style={{ backgroundColor: colour }} />;
}
