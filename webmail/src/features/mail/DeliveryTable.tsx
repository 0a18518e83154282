import type { DeliveryDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { StateWord } from '../../components/StateWord.tsx';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { deliveryWords } from '../../words/mail-list.ts';
import { describeDelivery, describeTls } from './delivery-words.ts';

const useStyles = makeStyles({
  frame: {
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    flexShrink: 0,
  },
  table: {
    width: '100%',
    borderCollapse: 'collapse',
    fontSize: tokens.fontSizeBase200,
    [onNarrow]: { display: 'block' },
  },
  head: {
    textAlign: 'left',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
  },
  heads: { [onNarrow]: { display: 'none' } },
  row: {
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    [onNarrow]: { display: 'flex', flexDirection: 'column', padding: tokens.spacingVerticalXS },
  },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
  },
  state: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, alignItems: 'center' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

const SHOWN_AT_FIRST = 8;

/** What became of a sent message, recipient by recipient. */
export default function DeliveryTable({ deliveries }: { deliveries: DeliveryDto[] }) {
  const styles = useStyles();
  const t = useWords(deliveryWords);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? deliveries : deliveries.slice(0, SHOWN_AT_FIRST);
  if (deliveries.length === 0) return null;
  return (
    <div className={styles.frame} aria-live="polite">
      <table className={styles.table} aria-label={t.title}>
        <thead className={styles.heads}>
          <tr>
            <th className={styles.head}>{t.recipient}</th>
            <th className={styles.head}>{t.state}</th>
            <th className={styles.head}>{t.reply}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((delivery) => (
            <DeliveryRow key={delivery.recipient} delivery={delivery} />
          ))}
        </tbody>
      </table>
      {shown.length < deliveries.length && (
        <Button size="small" appearance="transparent" onClick={() => setWhole(true)}>
          {t.showAll(deliveries.length)}
        </Button>
      )}
    </div>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryDto }) {
  const styles = useStyles();
  const t = useWords(deliveryWords);
  const { word, sentence, kind } = describeDelivery(delivery);
  const protection = describeTls(delivery);
  const waits = delivery.state === 'queued' && delivery.attempts > 0 && delivery.next_attempt_at;
  const isFailure = delivery.state === 'bounced' || waits;
  return (
    <tr className={styles.row}>
      <td className={styles.cell}>
        <bdi>{delivery.recipient}</bdi>
      </td>
      <td className={styles.cell}>
        <span className={styles.state}>
          <StateWord kind={kind}>{word}</StateWord>
          {sentence !== word && <span>{sentence}</span>}
        </span>
        <div className={styles.quiet}>
          {isFailure && delivery.reason && `${t.reason({ reason: delivery.reason.replaceAll('_', ' ') })} `}
          {waits ? t.nextTry({ date: fullDate(waits) }) : fullDate(delivery.updatedAt)}
        </div>
        {protection && <div className={styles.quiet}>{protection}</div>}
      </td>
      <td className={styles.cell}>
        <bdi className={styles.quiet}>{delivery.last_reply}</bdi>
      </td>
    </tr>
  );
}
