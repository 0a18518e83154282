import { sendEmail } from '@selvage/core/contracts/mail';
import { createUser } from '@selvage/core/contracts/users';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { preparedMail } from '../../lib/prepared-mail.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { ExtraRecords } from './ExtraRecords.tsx';
import { GuideSteps } from './GuideSteps.tsx';
import { mailOf, saveZoneFile } from './guide-records.ts';
import { PrintedRecords } from './PrintedRecords.tsx';
import { ProviderNotes } from './ProviderNotes.tsx';
import { guideQuery, type NamedGuide } from './queries.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** From a domain to mail that arrives, as /dashboard/domain/setup_guide/{id}. */
export default function SetupGuidePage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(guideQuery(id));
  if (data) return <Guide guide={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

function Guide({ guide }: { guide: NamedGuide }) {
  const t = useWords(setupGuideWords);
  return (
    <Page title={`${t.title}: ${guide.name}`} actions={<Actions guide={guide} />}>
      <Progress guide={guide} />
      <GuideSteps guide={guide} />
      <ExtraRecords domain={guide.domain} extras={guide.extras} />
      <ProviderNotes />
      <PrintedRecords guide={guide} />
    </Page>
  );
}

/** How much is left, and where to go when nothing is. */
function Progress({ guide: { done, steps } }: { guide: NamedGuide }) {
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
function Actions({ guide }: { guide: NamedGuide }) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  const maySend = can(useCurrentUser(), sendEmail);
  const mail = maySend ? mailOf(guide) : null;
  return (
    <div className={styles.actions}>
      {mail && <Button onClick={() => preparedMail.set(mail)}>{t.writeMail}</Button>}
      <Button onClick={() => window.print()}>{t.print}</Button>
      <Button onClick={() => saveZoneFile(guide)}>{t.zoneFile}</Button>
    </div>
  );
}
