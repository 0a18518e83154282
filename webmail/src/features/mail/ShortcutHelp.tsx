import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { mayOpen } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { pageWords } from '../../words/pages.ts';
import { shortcutWords } from '../../words/shortcuts.ts';
import { goKeys } from './go-keys.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    margin: 0,
  },
  key: {
    justifySelf: 'start',
    minWidth: '20px',
    textAlign: 'center',
    padding: `0 ${tokens.spacingHorizontalSNudge}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusSmall,
    fontFamily: tokens.fontFamilyMonospace,
  },
  word: { margin: 0 },
  pair: { display: 'contents' },
});

/** The keys that work in mail. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const styles = useStyles();
  const t = useWords(shortcutWords);
  const dialog = useWords(dialogWords);
  const titles = useWords(pageWords);
  const user = useCurrentUser();
  const going = goKeys.filter(({ page }) => mayOpen(user, page));
  const keys: [key: string, does: string][] = [
    ['j', t.next],
    ['k', t.previous],
    ['Enter, o', t.open],
    ['n', t.nextInConversation],
    ['p', t.previousInConversation],
    ['o', t.unfold],
    [';', t.expandAll],
    [':', t.collapseAll],
    ['x', t.select],
    ['Shift+x', t.selectTo],
    ['Ctrl+Space', t.selectAnother],
    ['Shift+↓', t.selectOn],
    ['* a, Ctrl+a', t.selectPage],
    ['* n, Esc', t.selectNone],
    ['* r', t.selectRead],
    ['* u', t.selectUnread],
    ['* s', t.selectStarred],
    ['* t', t.selectUnstarred],
    ['e', t.archive],
    ['!', t.junk],
    ['b', t.snooze],
    ['s', t.star],
    ['Shift+i', t.markRead],
    ['Shift+u', t.markUnread],
    ['#', t.delete],
    ['v', t.moveToFolder],
    ['l', t.label],
    ['.', t.rowMenu],
    ['r', t.reply],
    ['a', t.replyAll],
    ['f', t.forward],
    ['c', t.compose],
    ['u', t.back],
    ['z', t.undo],
    ['/', t.search],
    ...going.map(({ keys: pair, page }): [string, string] => [
      [...pair].join(' '),
      t.goTo({ place: titles[page.title] }),
    ]),
    ['g n', t.nextPage],
    ['g p', t.previousPage],
    ['?', t.help],
  ];
  return (
    <DialogFrame
      size="small"
      title={t.title}
      onClose={onClose}
      actions={
        <Button appearance="primary" onClick={onClose}>
          {dialog.close}
        </Button>
      }
    >
      <dl className={styles.list}>
        {keys.map(([key, does]) => (
          <div key={key} className={styles.pair}>
            <dt className={styles.key}>{key}</dt>
            <dd className={styles.word}>{does}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  );
}
