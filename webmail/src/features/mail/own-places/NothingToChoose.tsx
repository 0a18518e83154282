import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api-error.ts';
import { totalsQuery } from '../queries.ts';

const useStyles = makeStyles({
  root: { margin: 0, padding: `0 ${tokens.spacingHorizontalS}`, color: tokens.colorNeutralForeground3 },
});

interface Props {
  words: { loading: string; noneYet: string; noneFound: string };
  /** The person has labels or folders, of which none fits. */
  hasOthers: boolean;
}

/** Why there is no label or folder to choose: they are on their way, or there are none. */
export function NothingToChoose({ words, hasOthers }: Props) {
  const styles = useStyles();
  const { data, error } = useQuery(totalsQuery);
  const none = hasOthers ? words.noneFound : words.noneYet;
  return <p className={styles.root}>{data ? none : error ? messageOf(error) : words.loading}</p>;
}
