import { listQueue } from '@selvage/core/contracts/queue';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Section } from '../../components/page/Section.tsx';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { homeWords } from '../../words/home.ts';
import { ChartOrTable } from './ChartOrTable.tsx';
import { hourNames } from './hour-names.ts';
import { mailDayQuery } from './queries.ts';

const useStyles = makeStyles({
  facts: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXXL}`,
    margin: 0,
  },
  fact: { display: 'flex', flexDirection: 'column' },
  number: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  term: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground2,
  },
  mark: { width: '10px', height: '3px', borderRadius: tokens.borderRadiusSmall },
});

/** The numbers that the chart has a line for. */
const colours = { received: 'series1', sent: 'series2' } as const;
const countedNames = ['received', 'sent', 'bounced', 'refused'] as const;

/** How much mail came from other servers, was sent, returned and refused, hour by hour. */
export function MailSection() {
  const styles = useStyles();
  const t = useWords(homeWords);
  const seesQueue = can(useCurrentUser(), listQueue);
  const { data, error, refetch } = useQuery(mailDayQuery);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Placeholder label={t.loading}>
        <Bar height={320} />
      </Placeholder>
    );
  }
  const sums = countedNames.map((name) => ({ name, sum: data.hours.reduce((all, hour) => all + hour[name], 0) }));
  const facts = [...sums, { name: 'waiting' as const, sum: data.waiting }];
  const names = hourNames(data.hours.map(({ at }) => at));
  const points = data.hours.map(({ at, received, sent, refused, bounced }, index) => ({
    at,
    name: names[index] ?? at,
    values: [received, sent, refused, bounced],
  }));
  const lines = [
    { name: t.received, colour: colours.received },
    { name: t.sent, colour: colours.sent },
  ] as const;
  return (
    <Section title={t.mail} hint={t.mailHint}>
      <dl className={styles.facts}>
        {facts.map(({ name, sum }) => (
          <div key={name} className={styles.fact}>
            <dt className={styles.term}>
              {name in colours && (
                <span
                  className={styles.mark}
                  style={{ backgroundColor: own[colours[name as keyof typeof colours]] }}
                  aria-hidden
                />
              )}
              {name === 'waiting' && seesQueue ? <TextLink to="/dashboard/queue">{t.waiting}</TextLink> : t[name]}
            </dt>
            <dd className={styles.number}>{sum.toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      <ChartOrTable
        series={{ lines, others: [t.refused, t.bounced], points }}
        summary={t.byHour}
        tableSummary={t.allByHour}
      />
    </Section>
  );
}
