import type { ComparedRecord } from '@selvage/core/contracts/domains';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { useWords } from '../../lib/i18n.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  quiet: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere', whiteSpace: 'normal' },
});

const kinds: Record<ComparedRecord['state'], StateKind> = {
  same: 'good',
  different: 'bad',
  missing: 'waiting',
  unanswered: 'held',
};

/** Whether the DNS has a record that is kept here; nothing while the DNS is being asked. */
export function InDns({ record }: { record: ComparedRecord | undefined }) {
  const styles = useStyles();
  const t = useWords(domainGuardWords);
  if (!record) return null;
  return (
    <span className={styles.stack}>
      <StateWord kind={kinds[record.state]}>{t[record.state]}</StateWord>
      {record.state === 'different' && (
        <Text size={200} className={styles.quiet}>
          {t.itHas({ records: record.there.join(', ') })}
        </Text>
      )}
    </span>
  );
}
