import type { DnsProblem } from '@selvage/core/contracts/domain-check';
import { makeStyles, tokens } from '@fluentui/react-components';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { dnsCheckWords } from '../../../words/dns-check.ts';
import { RecordLines } from '../RecordLines.tsx';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', gap: tokens.spacingVerticalL },
  problem: { display: 'grid', gap: tokens.spacingVerticalS },
});

interface Props {
  label: string;
  /** In its ASCII form. */
  domain: string;
  problems: readonly DnsProblem[];
}

/** Problems of a domain's DNS, each with the record that mends it. */
export function ProblemList({ label, domain, problems }: Props) {
  const styles = useStyles();
  return (
    <ul className={styles.list} aria-label={label}>
      {problems.map((problem) => (
        <li key={`${problem.part} ${problem.text}`} className={styles.problem}>
          <Problem domain={domain} problem={problem} />
        </li>
      ))}
    </ul>
  );
}

function Problem({ domain, problem: { level, text, record } }: { domain: string; problem: DnsProblem }) {
  const t = useWords(dnsCheckWords);
  return (
    <>
      <FormMessage intent={level === 'error' ? 'error' : 'warning'} text={text} />
      {record && (
        <>
          <span>{t.asIs}</span>
          <RecordLines domain={domain} type={record.type} name={record.name} content={record.content} />
        </>
      )}
    </>
  );
}
