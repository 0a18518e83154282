import type { ClientDetailDto } from '@selvage/core/contracts/clients';
import { makeStyles, tokens } from '@fluentui/react-components';
import { Section } from '../../components/page/Section.tsx';
import { useWords } from '../../lib/i18n.ts';
import { clientWords } from '../../words/clients.ts';

const useStyles = makeStyles({
  tiles: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(120px, 1fr))',
    gap: tokens.spacingHorizontalM,
    margin: 0,
  },
  tile: {
    display: 'flex',
    flexDirection: 'column-reverse',
    padding: tokens.spacingHorizontalL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  term: { color: tokens.colorNeutralForeground2 },
  count: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
  },
});

/** How many records a client has of each kind, as tiles. */
export function ClientTotals({ client: { counts } }: { client: ClientDetailDto }) {
  const styles = useStyles();
  const t = useWords(clientWords);
  return (
    <Section title={t.totals}>
      <dl className={styles.tiles}>
        {(['users', 'roles', 'domains', 'companies'] as const).map((name) => (
          <div key={name} className={styles.tile}>
            <dt className={styles.term}>{t[name]}</dt>
            <dd className={styles.count}>{counts[name].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
