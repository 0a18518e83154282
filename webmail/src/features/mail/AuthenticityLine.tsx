import type { EmailDto } from '@selvage/core/contracts/email';
import { makeStyles } from '@fluentui/react-components';
import { FilterRegular } from '@fluentui/react-icons/svg/filter';
import { InfoRegular } from '@fluentui/react-icons/svg/info';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { pageWords } from '../../words/pages.ts';
import { readingWords } from '../../words/reading.ts';
import { isProved, resultsOf, sentenceOf } from './authenticity.ts';
import { QuietLine } from './QuietLine.tsx';

const useStyles = makeStyles({
  tick: { display: 'inline-flex', alignSelf: 'center', color: own.stateGood, cursor: 'default' },
});

type Judged = Pick<EmailDto, 'authenticity' | 'warnings' | 'sender_email'>;

/** A quiet tick where it is proved who sent the message, and nothing where it is not. */
export function ProvedTick({ email }: { email: Judged }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  if (!isProved(email)) return null;
  const words = t.verified({ domain: email.authenticity?.domain ?? t.senderDomain });
  return (
    <span className={styles.tick} data-tip={`${words} (${resultsOf(email)})`}>
      <ShieldCheckmarkRegular aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}

/** What speaks against the message, in one sentence. */
export function WarningBand({ email }: { email: Judged }) {
  const [warning] = email.warnings;
  return warning ? <FormMessage intent="error" text={sentenceOf(warning)} /> : null;
}

/** Says that the sender is new, where nothing else is to be said. */
export function NewSenderLine({ email }: { email: Judged }) {
  const t = useWords(readingWords);
  if (email.warnings[0]?.code !== 'first_message') return null;
  return <QuietLine icon={InfoRegular}>{t.firstMessage}</QuietLine>;
}

/** Says why the message is where it is, when the host put it there. */
export function PlacementLine({ email }: { email: Pick<EmailDto, 'placement' | 'junk_status'> }) {
  const t = useWords(readingWords);
  const pages = useWords(pageWords);
  const { placement } = email;
  if (placement === null || (placement.by !== 'filter' && !email.junk_status)) return null;
  const { by, name, folder } = placement;
  const moved = folder === 'own' ? t.movedToOwn({ name }) : folder && t.movedByFilter({ folder: pages[folder], name });
  const byFilter = moved ?? t.keptByFilter({ name });
  const words = { dmarc: t.junkByDomain({ name }), blocked: t.junkByBlock({ name }), filter: byFilter };
  return <QuietLine icon={by === 'filter' ? FilterRegular : MailProhibitedRegular}>{words[by]}</QuietLine>;
}
