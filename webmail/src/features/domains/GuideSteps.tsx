import { verifyDomain } from '@selvage/core/contracts/domains';
import type { SetupGuideDto, SetupStep } from '@selvage/core/contracts/setup-guide';
import { makeStyles, tokens } from '@fluentui/react-components';
import { Section } from '../../components/page/Section.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { CheckProof } from './CheckProof.tsx';
import { RecordLines } from './RecordLines.tsx';
import { StepState } from './StepState.tsx';
import { useSayVerified } from './use-say-verified.ts';

const useStyles = makeStyles({
  steps: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', gap: tokens.spacingVerticalXL },
});

/** What the DNS of a domain needs, one record after the other, and the state of each. */
export function GuideSteps({ guide }: { guide: SetupGuideDto }) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  useSayVerified(guide.steps.some(({ name, state }) => name === 'prove' && state === 'done'));
  return (
    <ol className={styles.steps} aria-label={t.steps}>
      {guide.steps.map((step) => (
        <li key={step.name}>
          <Step guide={guide} step={step} />
        </li>
      ))}
    </ol>
  );
}

function Step({ guide, step: { number, name, state, record, details } }: { guide: SetupGuideDto; step: SetupStep }) {
  const t = useWords(setupGuideWords);
  const mayCheck = can(useCurrentUser(), verifyDomain);
  return (
    <Section
      title={`${number}. ${t[name]}`}
      hint={t[`${name}Text`]}
      action={<StepState state={state} record={record} />}
    >
      <span>{name === 'dkim' && record === null ? t.makingKey : details}</span>
      {record && <RecordLines domain={guide.domain} {...record} isToCopy={name !== 'a'} />}
      {name === 'prove' && state !== 'done' && <CheckProof domainId={guide.domain_id} mayCheck={mayCheck} />}
    </Section>
  );
}
