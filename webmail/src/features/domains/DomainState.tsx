import type { DomainDto } from '@selvage/core/contracts/domains';
import { makeStyles, tokens } from '@fluentui/react-components';
import { RecordStateWord, stateInWords } from '../../components/list/record-state.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { fullDay } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { domainWords } from '../../words/domains.ts';
import { expiryOf } from './expiry.ts';
import { isWaiting } from './queries.ts';

const useStyles = makeStyles({
  row: { display: 'inline-flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: tokens.spacingHorizontalM },
});

/** An active domain that is not verified has no mail, so the list does not call it active. */
const hasUsualWord = (domain: DomainDto): boolean => !isWaiting(domain) || !domain.active_status;

/** The state of a domain: switched on or off, deleted, and whether it has been verified. */
export function DomainState({ domain }: { domain: DomainDto }) {
  const styles = useStyles();
  const t = useWords(domainWords);
  return (
    <span className={styles.row}>
      {hasUsualWord(domain) && <RecordStateWord record={domain} />}
      {isWaiting(domain) && <StateWord kind="waiting">{t.notVerified}</StateWord>}
    </span>
  );
}

/** The same as text. */
export function domainStateInWords(domain: DomainDto): string {
  const usual = hasUsualWord(domain) ? [stateInWords(domain)] : [];
  return [...usual, ...(isWaiting(domain) ? [wordsOf(domainWords).notVerified] : [])].join(', ');
}

/** A day without a time is the same day everywhere. */
const shownDay = (day: string): string => fullDay(`${day}T00:00:00`);

/** Until when a domain is registered, marked when that comes near. */
export function ExpirationDay({ day }: { day: string | null }) {
  const styles = useStyles();
  const t = useWords(domainWords);
  if (day === null) return t.unknown;
  const expiry = expiryOf(day);
  return (
    <span className={styles.row}>
      <span>{shownDay(day)}</span>
      {expiry && <StateWord kind={expiry.kind}>{inWords(expiry.daysLeft)}</StateWord>}
    </span>
  );
}

function inWords(daysLeft: number): string {
  const t = wordsOf(domainWords);
  if (daysLeft < 0) return t.expired;
  return daysLeft === 0 ? t.lastDay : t.daysLeft(daysLeft);
}
