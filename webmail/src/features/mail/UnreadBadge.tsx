import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
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
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** How many messages of the inbox are unread, beside its name in the navigation. */
export default function UnreadBadge() {
  return <UnreadCount folder="inbox" />;
}

/** The number of unread messages of a folder. That of Junk asks for no attention. */
export function UnreadCount({ folder }: { folder: 'inbox' | 'junk' }) {
  const styles = useStyles();
  const t = useWords(shellWords);
  const { data: totals } = useQuery(totalsQuery);
  const unread = totals?.[folder].unread ?? 0;
  if (unread === 0) return null;
  return (
    <span className={mergeClasses(styles.root, folder === 'junk' && styles.quiet)}>
      <span aria-hidden>{unread > MOST ? `${MOST.toLocaleString()}+` : unread.toLocaleString()}</span>
      <VisuallyHidden>{t.unread(unread)}</VisuallyHidden>
    </span>
  );
}
