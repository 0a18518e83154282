import type { DeliveryDto } from '@selvage/core/contracts/mail';
import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { fullDate } from '../../lib/format.ts';
import { describeDelivery } from './delivery-words.ts';

const useStyles = makeStyles({
  frame: {
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    flexShrink: 0,
  },
  table: {
    width: '100%',
    borderCollapse: 'collapse',
    fontSize: tokens.fontSizeBase200,
    '@media (max-width: 719px)': { display: 'block' },
  },
  head: {
    textAlign: 'left',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
  },
  heads: { '@media (max-width: 719px)': { display: 'none' } },
  row: {
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    '@media (max-width: 719px)': { display: 'flex', flexDirection: 'column', padding: tokens.spacingVerticalXS },
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
export function DeliveryTable({ deliveries }: { deliveries: DeliveryDto[] }) {
  const styles = useStyles();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? deliveries : deliveries.slice(0, SHOWN_AT_FIRST);
  if (deliveries.length === 0) return null;
  return (
    <div className={styles.frame} aria-live="polite">
      <table className={styles.table} aria-label="What became of this message">
        <thead className={styles.heads}>
          <tr>
            <th className={styles.head}>Recipient</th>
            <th className={styles.head}>What became of it</th>
            <th className={styles.head}>The other server said</th>
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
          Show all {deliveries.length} recipients
        </Button>
      )}
    </div>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryDto }) {
  const styles = useStyles();
  const { chip, sentence, color } = describeDelivery(delivery);
  const waits = delivery.state === 'queued' && delivery.attempts > 0 && delivery.next_attempt_at;
  const isFailure = delivery.state === 'bounced' || waits;
  return (
    <tr className={styles.row}>
      <td className={styles.cell}>{delivery.recipient}</td>
      <td className={styles.cell}>
        <span className={styles.state}>
          <Badge appearance="tint" color={color}>
            {chip}
          </Badge>
          <Text size={200}>{sentence}</Text>
        </span>
        <Text size={200} className={styles.quiet} block>
          {isFailure && delivery.reason && `Reason: ${delivery.reason.replaceAll('_', ' ')}. `}
          {waits ? `Next try ${fullDate(waits)}.` : fullDate(delivery.updatedAt)}
        </Text>
      </td>
      <td className={styles.cell}>
        <Text size={200} className={styles.quiet}>
          {delivery.last_reply}
        </Text>
      </td>
    </tr>
  );
}
