import { makeStyles, tokens } from '@fluentui/react-components';
import { TextLink } from '../../components/TextLink.tsx';
import { useWords } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    flex: '1 1 220px',
    gap: tokens.spacingVerticalXS,
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXL}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  title: { margin: 0, color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase300, fontWeight: 'inherit' },
  number: {
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
});

interface Props {
  title: string;
  total: number | undefined;
  /** Where they are managed; null for people who may not see the list. */
  to: string | null;
  /** Says what is managed, for readers who hear the link alone. */
  manageLabel: string;
}

/** How many of something there are. */
export function TotalCard({ title, total, to, manageLabel }: Props) {
  const styles = useStyles();
  const t = useWords(homeWords);
  return (
    <section className={styles.root}>
      <h2 className={styles.title}>{title}</h2>
      <span className={styles.number}>{total?.toLocaleString() ?? '–'}</span>
      {to !== null && (
        <TextLink to={to} aria-label={manageLabel}>
          {t.manage}
        </TextLink>
      )}
    </section>
  );
}
