import { makeStyles, tokens } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';
import { ComposeRow } from './ComposeRow.tsx';
import { ownAddresses } from './from-address.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  select: {
    // The browser sets its text 4 px in, the other fields 2 px
    marginLeft: '-2px',
    width: 'calc(100% + 2px)',
    height: '32px',
    boxSizing: 'border-box',
    padding: 0,
    border: 'none',
    outlineStyle: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    textOverflow: 'ellipsis',
    cursor: 'pointer',
    // The list that opens takes its colours from the options
    '& option': { backgroundColor: tokens.colorNeutralBackground1 },
  },
});

/** The address that the message is sent from. Only for people who have more than one. */
export function FromRow({ message }: { message: OpenMessage }) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const id = useId();
  const user = useCurrentUser();
  const { from } = useStore(message.composition);
  if (!user) return null;
  const own = ownAddresses(user);
  const chosen = from ?? user.email;
  const isGone = !own.includes(chosen);
  if (own.length === 1 && !isGone) return null;
  const problem = isGone ? t.fromGone({ address: chosen }) : null;
  return (
    <ComposeRow label={t.from} inputId={id} problem={problem} problemId={`${id}-problem`}>
      <select
        id={id}
        className={styles.select}
        value={chosen}
        aria-invalid={isGone}
        aria-describedby={isGone ? `${id}-problem` : undefined}
        onChange={({ target }) => message.write({ from: target.value === user.email ? null : target.value })}
      >
        {[...own, ...(isGone ? [chosen] : [])].map((address) => (
          <option key={address}>{address}</option>
        ))}
      </select>
    </ComposeRow>
  );
}
