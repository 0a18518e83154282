import type { DnsCheck } from '@selvage/core/contracts/domain-check';
import { makeStyles, tokens } from '@fluentui/react-components';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { Facts } from '../../../components/page/Facts.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { dnsCheckWords } from '../../../words/dns-check.ts';
import { PartState } from './PartState.tsx';
import { ProblemList } from './ProblemList.tsx';

const useStyles = makeStyles({
  heading: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
});

/** Whether mail can flow, and what there is to do. */
export function Overview({ check }: { check: DnsCheck }) {
  const styles = useStyles();
  const t = useWords(dnsCheckWords);
  const parts = ['mx', 'spf', 'dmarc', 'dkim'] as const;
  return (
    <>
      {check.valid ? <FormMessage intent="success" text={t.valid} /> : <FormMessage intent="warning" text={t.issues} />}
      <Facts rows={parts.map((name) => [t[name], <PartState key={name} part={check[name]} />] as const)} />
      {check.problems.length === 0 ? (
        <span>{t.noProblems}</span>
      ) : (
        <>
          <h3 className={styles.heading}>{t.problems}</h3>
          <ProblemList label={t.problems} domain={check.domain} problems={check.problems} />
        </>
      )}
    </>
  );
}
