import { type DomainDetailDto, type DomainDto, updateDomain } from '@selvage/core/contracts/domains';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { FieldPair } from '../../components/form/fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RetryMessage } from '../../components/form/RetryMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { failureMessage } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { formWords } from '../../words/forms.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { GuideSteps } from '../domains/GuideSteps.tsx';
import { saveZoneFile } from '../domains/guide-records.ts';
import { ProviderNotes } from '../domains/ProviderNotes.tsx';
import { guideQuery } from '../domains/queries.ts';
import { dayInText, dayOfText } from './day-text.ts';
import { asDomainFailure, checkDay } from './domain-form.ts';
import { ExpiryField, PastExpiry } from './ExpiryField.tsx';
import { readUnsaved, useKeepUnsaved } from './unsaved-input.ts';
import { NewDomainForm } from './NewDomainForm.tsx';
import { StepFrame } from './StepFrame.tsx';
import type { Progress } from './use-progress.ts';
import { useReportDirty } from './use-report-dirty.ts';

const useStyles = makeStyles({ buttons: { display: 'flex', gap: tokens.spacingHorizontalS } });

/** The second step: until when the domain is registered, and what its DNS needs. */
export function DomainStep({ progress }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  const { domain, domains, done, user } = progress;
  const [isDirty, setDirty] = useState(false);
  const others = (domains?.length ?? 0) - 1;
  return (
    <StepFrame progress={progress} step={2} waitsFor={done[2] && !isDirty ? '' : t.saveFirst}>
      {domains === null && <FormMessage intent="info" text={t.notYours} />}
      {domains !== null && !domain && <NewDomainForm owner={user._id} onDirty={setDirty} />}
      {domain && (
        <>
          {!domain.active_status && <FormMessage intent="warning" text={t.inactiveDomain} />}
          <DomainForm key={domain._id} domain={domain} owner={user._id} onDirty={setDirty} />
          {others > 0 && <span>{t.moreDomains(others)}</span>}
          <DnsGuide id={domain._id} />
        </>
      )}
    </StepFrame>
  );
}

interface Props {
  domain: DomainDto;
  owner: string;
  onDirty: (isDirty: boolean) => void;
}

const valuesOf = ({ expiration_date: day }: DomainDto) => ({ expiry: dayInText(day) });
const recordOf = (domain: DomainDto) => ({ values: valuesOf(domain), version: domain.version });

function DomainForm({ domain, owner, onDirty }: Props) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const { save, saving } = useWords(formWords);
  const client = useQueryClient();
  const [base, setBase] = useState(() => valuesOf(domain));
  const form = useForm<{ expiry: string }, DomainDetailDto>({
    start: base,
    kept: readUnsaved(owner, 'domain', base),
    check: ({ expiry }) => checkDay(expiry),
    fieldNames: { expiration_date: 'expiry' },
    version: domain.version,
    submit: ({ expiry }, version) =>
      api(updateDomain, {
        params: { id: domain._id },
        body: { expiration_date: dayOfText(expiry), version },
      }).catch(asDomainFailure),
    afterSave: recordOf,
    fromConflict: (current) => recordOf(current as DomainDto),
    onDone: async (saved) => {
      setBase(valuesOf(saved));
      await client.invalidateQueries({ queryKey: [...domainsKey, 'list'] });
      notify.success(t.domainSaved);
    },
  });
  useKeepUnsaved(owner, 'domain', { values: form.values, base, isDirty: form.isDirty });
  useReportDirty(form.isDirty, onDirty);
  return (
    <Form form={form} label={t.domainForm}>
      <FieldPair>
        <FixedField label={t.domainName} value={shownAddress(domain.domain_name)} />
        <ExpiryField form={form} />
      </FieldPair>
      <PastExpiry expiry={form.values.expiry} />
      <div className={styles.buttons}>
        <SubmitButton label={save} busyLabel={saving} isBusy={form.isPending} />
      </div>
    </Form>
  );
}

/** What the DNS lacks, as it stands now. */
function DnsGuide({ id }: { id: string }) {
  const t = useWords(onboardingWords);
  const g = useWords(setupGuideWords);
  const { data: guide, error, refetch } = useQuery(guideQuery(id));
  if (!guide) {
    if (!error) return <PageSpinner />;
    return <RetryMessage text={failureMessage(error, t.guideFailed)} onRetry={() => void refetch()} />;
  }
  const left = guide.steps.filter(({ state }) => state !== 'done').length;
  return (
    <Section title={t.dns} action={<Button onClick={() => saveZoneFile(guide)}>{g.zoneFile}</Button>}>
      {guide.done ? (
        <FormMessage intent="success" text={t.dnsDone} />
      ) : (
        <FormMessage intent="info" text={`${g.left(left)} ${g.hint}`} />
      )}
      <GuideSteps guide={guide} />
      <ProviderNotes />
    </Section>
  );
}
