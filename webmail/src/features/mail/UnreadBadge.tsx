import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { useWords } from '../../lib/i18n.ts';
import { shellWords } from '../../words/shell.ts';
import { totalsQuery } from './queries.ts';

const MOST = 9_999;

const useStyles = makeStyles({
  root: {
    color: tokens.colorBrandForeground1,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
});

/** How many messages of the inbox are unread, beside its name in the navigation. */
export default function UnreadBadge() {
  const styles = useStyles();
  const t = useWords(shellWords);
  const { data: totals } = useQuery(totalsQuery);
  const unread = totals?.inbox.unread ?? 0;
  if (unread === 0) return null;
  return (
    <span className={styles.root}>
      <span aria-hidden>{unread > MOST ? `${MOST.toLocaleString()}+` : unread.toLocaleString()}</span>
      <VisuallyHidden>{t.unread(unread)}</VisuallyHidden>
    </span>
  );
}
