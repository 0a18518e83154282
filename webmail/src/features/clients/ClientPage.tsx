import { fullName } from '@selvage/core/contracts/full-name';
import type { ClientDetailDto } from '@selvage/core/contracts/clients';
import { Button } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { Section } from '../../components/page/Section.tsx';
import { PlanUseSection } from '../../components/PlanUseSection.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { CompanyName } from '../../components/CompanyName.tsx';
import { fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { clientWords } from '../../words/clients.ts';
import { recordWords } from '../../words/records.ts';
import { clientActions, ClientDialogs, type OpenDialog } from './ClientDialogs.tsx';
import { ClientTotals } from './ClientTotals.tsx';
import { clientQuery } from './queries.ts';
import { useRestoreClient } from './removal-dialogs.tsx';

/** Loads the client in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(clientQuery(id));
}

/** One client, as /dashboard/client/view/{id}. */
export default function ClientPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(clientQuery(id));
  if (data) return <Detail client={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

function Detail({ client }: { client: ClientDetailDto }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<OpenDialog>(null);
  const restore = useRestoreClient();
  const actions = clientActions(client, { open: setOpen, restore });
  return (
    <Page
      title={fullName(client)}
      aside={<AccountState client={client} />}
      actions={actions.map(({ label, run }) => (
        <Button key={label} onClick={run}>
          {label}
        </Button>
      ))}
    >
      <About client={client} />
      <PlanUseSection plan={client.plan} mailboxLimit={client.mailbox_limit} />
      <ClientTotals client={client} />
      <CompanyCard client={client} />
      <ClientDialogs open={open} onClose={() => setOpen(null)} onErased={() => void navigate('/dashboard/client')} />
    </Page>
  );
}

function AccountState({ client: { deletedAt, active_status } }: { client: ClientDetailDto }) {
  const t = useWords(clientWords);
  if (deletedAt !== null) return <StateWord kind="quiet">{t.deletedAccount}</StateWord>;
  return active_status ? (
    <StateWord kind="good">{t.activeAccount}</StateWord>
  ) : (
    <StateWord kind="held">{t.inactiveAccount}</StateWord>
  );
}

function About({ client }: { client: ClientDetailDto }) {
  const t = useWords(clientWords);
  const r = useWords(recordWords);
  return (
    <Section title={t.about}>
      <Facts
        rows={[
          [t.personalEmail, client.personal_email],
          [t.businessEmail, shownAddress(client.business_email)],
          [t.phone, client.phone_number],
          [t.country, client.country],
          [t.password, client.password_change_required ? t.passwordToChange : t.passwordStays],
          [r.created, fullDay(client.createdAt)],
        ]}
      />
    </Section>
  );
}

function CompanyCard({ client: { company } }: { client: ClientDetailDto }) {
  const t = useWords(clientWords);
  const r = useWords(recordWords);
  const link = <CompanyName company={company} />;
  const place = [company.city, company.state].filter(Boolean).join(', ');
  return (
    <Section title={t.company}>
      <Facts
        rows={[
          [t.companyName, link],
          [t.industry, company.industry],
          [t.email, shownAddress(company.email)],
          [t.phone, company.phone],
          [t.address, company.address],
          [t.cityState, place],
          [t.country, company.country],
          [t.pinCode, company.pin_code],
          [r.status, company.active_status ? r.active : r.inactive],
          [r.created, fullDay(company.createdAt)],
        ]}
      />
    </Section>
  );
}
