import type { EmailDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { StarFilled } from '@fluentui/react-icons/svg/star';
import { useState } from 'react';
import { Initials } from '../../components/Initials.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW, onNarrow } from '../../theme/breakpoints.ts';
import { own } from '../../theme/own-tokens.ts';
import { oneMessageWords, readingWords } from '../../words/reading.ts';
import { NewSenderLine, PlacementLine, ProvedTick, WarningBand } from './AuthenticityLine.tsx';
import { UnsubscribeButton } from './UnsubscribeButton.tsx';
import { MessageLabels } from './labels/MessageLabels.tsx';
import { MessageMenu, type SwitchText } from './MessageMenu.tsx';
import { Names, Said } from './People.tsx';
import { senderIn } from './senders.ts';
import { TimeLine } from './TimeLine.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', alignItems: 'flex-start', gap: tokens.spacingHorizontalM, minWidth: 0 },
  words: { display: 'flex', flexDirection: 'column', gap: '2px', minWidth: 0, flexGrow: 1 },
  first: { display: 'flex', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalS, alignItems: 'baseline' },
  sender: { fontWeight: tokens.fontWeightSemibold, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, overflowWrap: 'anywhere' },
  date: {
    marginLeft: 'auto',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    whiteSpace: 'nowrap',
    // There it takes a line of its own, which begins where the others do
    [onNarrow]: { marginLeft: 0 },
  },
  star: { display: 'inline-flex', alignSelf: 'center', color: own.star },
  // On a phone a long address takes several lines, and the button after it has to be in sight
  recipients: { maxHeight: '60px', overflowY: 'auto', [onNarrow]: { maxHeight: '40vh' } },
  // The tick stays with the address when the line breaks
  address: { display: 'inline-flex', gap: tokens.spacingHorizontalS, minWidth: 0 },
});

interface Props {
  email: EmailDto;
  /** It is another person's: nothing is offered that changes a mailbox. */
  isReadOnly?: boolean;
  /** One of several messages of a conversation: the star of the conversation is above them all. */
  isOneOfMany?: boolean;
  onSwitchText?: SwitchText | undefined;
}

/** The sender, the recipients and the time, and how sure a reader can be of the sender. */
export function MessageHeader({ email, isReadOnly = false, isOneOfMany = false, onSwitchText }: Props) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const one = useWords(oneMessageWords);
  const name = senderIn(email);
  return (
    <>
      <div className={styles.root}>
        <Initials name={name} size="large" />
        <div className={styles.words}>
          <span className={styles.first}>
            <bdi className={styles.sender}>{name}</bdi>
            <span className={styles.address}>
              {email.sender_email !== name && <bdi className={styles.quiet}>{email.sender_email}</bdi>}
              <ProvedTick email={email} />
            </span>
            {isOneOfMany && email.star_status && (
              <span className={styles.star} role="img" aria-label={one.starred} data-tip={one.starred}>
                <StarFilled />
              </span>
            )}
            {email.unsubscribe && <UnsubscribeButton email={email} way={email.unsubscribe} />}
            <time className={styles.date} dateTime={email.createdAt}>
              {fullDate(email.createdAt)}
            </time>
          </span>
          <div className={styles.recipients}>
            <Recipients say={t.to} addresses={email.recipient_emails_to} />
            <Recipients say={t.cc} addresses={email.recipient_emails_cc} />
            <Recipients say={t.bcc} addresses={email.recipient_emails_bcc} />
          </div>
          <NewSenderLine email={email} />
        </div>
        <MessageMenu email={email} isReadOnly={isReadOnly} onSwitchText={onSwitchText} />
      </div>
      <MessageLabels email={email} />
      <PlacementLine email={email} />
      <TimeLine email={email} />
      <WarningBand email={email} />
    </>
  );
}

/** How many names are shown at first. A phone has room for two of them and the button. */
const firstNames = { wide: 20, narrow: 2 };
/** Up to this many names are all shown: a few more are no reason for a button. */
const mostNames = { wide: 25, narrow: 3 };

interface RecipientsProps {
  say: (values: { addresses: string }) => string;
  addresses: string[];
}

/** A message can have very many recipients. The first are shown, and the others after a press. */
function Recipients({ say, addresses }: RecipientsProps) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [isWhole, setWhole] = useState(false);
  const width = useMedia(NARROW) ? 'narrow' : 'wide';
  if (addresses.length === 0) return null;
  const shown = isWhole || addresses.length <= mostNames[width] ? addresses : addresses.slice(0, firstNames[width]);
  const rest = addresses.length - shown.length;
  return (
    <div className={styles.quiet}>
      <Said say={(gap) => say({ addresses: gap })}>
        <Names names={shown} />
      </Said>
      {rest > 0 && (
        <Button size="small" appearance="transparent" onClick={() => setWhole(true)}>
          {t.andMore(rest)}
        </Button>
      )}
    </div>
  );
}
