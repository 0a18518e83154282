import type { WholeFolder } from '@selvage/core/contracts/mail-folders';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { wholeFolderWords } from '../../words/whole-folder.ts';
import { useNameOfWhole } from './own-folders/use-own-folders.ts';
import type { WholeFolderState } from './use-whole-folder.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'center',
    gap: `0 ${tokens.spacingHorizontalS}`,
    flexShrink: 0,
    minHeight: '36px',
    padding: `2px ${tokens.spacingHorizontalM}`,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase300,
    textAlign: 'center',
  },
});

interface Props {
  folder: WholeFolder;
  /** Ticked rows: all of the page. */
  rows: number;
  /** Rows on all pages. */
  total: number;
  isGrouped: boolean;
  whole: WholeFolderState;
}

/** Above a page of which all rows are ticked: offers all of the folder, or says it is chosen. */
export default function SelectAllLine({ folder, rows, total, isGrouped, whole }: Props) {
  const styles = useStyles();
  const t = useWords(wholeFolderWords);
  const name = useNameOfWhole(folder);
  const all = { number: total, folder: name };
  return (
    <div className={styles.root}>
      <span role="status">
        {whole.chosen
          ? (isGrouped ? t.allConversations : t.allMessages)(all)
          : (isGrouped ? t.pageConversations : t.pageMessages)(rows)}
      </span>
      {whole.chosen ? (
        <Button size="small" appearance="transparent" onClick={whole.clear}>
          {t.clear}
        </Button>
      ) : (
        <Button size="small" appearance="transparent" disabledFocusable={whole.isMarking} onClick={whole.choose}>
          {whole.isMarking ? t.counting : t.selectAll(all)}
        </Button>
      )}
    </div>
  );
}
