import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { useFocusReturn } from '../../hooks/use-focus-return.ts';

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

const keys: [string, string][] = [
  ['j', 'Next message'],
  ['k', 'Previous message'],
  ['Enter', 'Open the message'],
  ['x', 'Select or unselect'],
  ['e', 'Archive'],
  ['s', 'Add or remove the star'],
  ['#', 'Delete'],
  ['r', 'Reply'],
  ['a', 'Reply all'],
  ['f', 'Forward'],
  ['c', 'Write a message'],
  ['u', 'Back to the list'],
  ['?', 'This help'],
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const styles = useStyles();
  return (
    <Dialog open onOpenChange={(_event, data) => !data.open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Keyboard shortcuts</DialogTitle>
          <DialogContent>
            <dl className={styles.list}>
              {keys.map(([key, word]) => (
                <div key={key} className={styles.pair}>
                  <dt className={styles.key}>{key}</dt>
                  <dd className={styles.word}>{word}</dd>
                </div>
              ))}
            </dl>
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
