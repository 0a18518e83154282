import { sendEmail } from '@selvage/core/contracts/mail';
import { verifyDomain } from '@selvage/core/contracts/domains';
import { getSetupGuide, type SetupGuideDto, type SetupStep } from '@selvage/core/contracts/setup-guide';
import { createUser } from '@selvage/core/contracts/users';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { Section } from '../../components/page/Section.tsx';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { preparedMail } from '../../lib/prepared-mail.ts';
import { saveFile } from '../../lib/save-file.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { CheckProof } from './CheckProof.tsx';
import { ExtraRecords } from './ExtraRecords.tsx';
import { mailOf } from './guide-records.ts';
import { PrintedRecords } from './PrintedRecords.tsx';
import { ProviderNotes } from './ProviderNotes.tsx';
import { guideKey } from './queries.ts';
import { RecordLines } from './RecordLines.tsx';
import { StepState } from './StepState.tsx';
import { useSayVerified } from './use-say-verified.ts';

/** How often the guide looks at the DNS again while a person watches it. */
const ASK_EVERY_MS = 15_000;

const useStyles = makeStyles({
  steps: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', gap: tokens.spacingVerticalXL },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

const guideQuery = (id: string) =>
  queryOptions({
    queryKey: guideKey(id),
    queryFn: ({ signal }) => api(getSetupGuide, { query: { domain_id: id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isSettled(data) ? false : ASK_EVERY_MS),
  });

/** Whether a look at the DNS could say nothing new. */
const isSettled = ({ done, extras }: SetupGuideDto): boolean => done && extras.every(({ state }) => state === 'done');

/** From a domain to mail that arrives, as /dashboard/domain/setup_guide/{id}. */
export default function SetupGuidePage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(guideQuery(id));
  if (data) return <Guide guide={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

function Guide({ guide }: { guide: SetupGuideDto }) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  useSayVerified(guide.steps.some(({ name, state }) => name === 'prove' && state === 'done'));
  return (
    <Page title={`${t.title}: ${shownAddress(guide.domain)}`} actions={<Actions guide={guide} />}>
      <Progress guide={guide} />
      <ol className={styles.steps} aria-label={t.steps}>
        {guide.steps.map((step) => (
          <li key={step.name}>
            <Step guide={guide} step={step} />
          </li>
        ))}
      </ol>
      <ExtraRecords domain={guide.domain} extras={guide.extras} />
      <ProviderNotes />
      <PrintedRecords guide={guide} />
    </Page>
  );
}

/** How much is left, and where to go when nothing is. */
function Progress({ guide: { done, steps } }: { guide: SetupGuideDto }) {
  const t = useWords(setupGuideWords);
  const navigate = useNavigate();
  const mayAddPeople = can(useCurrentUser(), createUser);
  const left = steps.filter(({ state }) => state !== 'done').length;
  if (!done) return <FormMessage intent="info" text={`${t.left(left)} ${t.hint}`} />;
  if (!mayAddPeople) return <FormMessage intent="success" text={t.allDone} />;
  const open = (
    <Button size="small" onClick={() => void navigate('/dashboard/user')}>
      {t.openUsers}
    </Button>
  );
  return <FormMessage intent="success" text={`${t.allDone} ${t.nextPeople}`} action={open} />;
}

/** The records as a whole, for the people who keep the DNS. */
function Actions({ guide }: { guide: SetupGuideDto }) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  const maySend = can(useCurrentUser(), sendEmail);
  const mail = maySend ? mailOf(guide) : null;
  const save = (): void => saveFile(`${guide.domain}.zone.txt`, new Blob([guide.zone_file], { type: 'text/plain' }));
  return (
    <div className={styles.actions}>
      {mail && <Button onClick={() => preparedMail.set(mail)}>{t.writeMail}</Button>}
      <Button onClick={() => window.print()}>{t.print}</Button>
      <Button onClick={save}>{t.zoneFile}</Button>
    </div>
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
