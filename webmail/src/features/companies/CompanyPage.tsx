import { fullName } from '@selvage/core/contracts/full-name';
import type { CompanyDetailDto, CompanyDto } from '@selvage/core/contracts/companies';
import { Button } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { RecordStateWord } from '../../components/list/record-state.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { Section } from '../../components/page/Section.tsx';
import { PlanUseSection } from '../../components/PlanUseSection.tsx';
import { fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { companyWords } from '../../words/companies.ts';
import { recordWords } from '../../words/records.ts';
import { ArchiveSection } from './ArchiveSection.tsx';
import { CompanyDialog } from './CompanyDialog.tsx';
import { companyQuery } from './queries.ts';
import { DeleteCompanyDialog, EraseCompanyDialog, useRestoreCompany } from './removal-dialogs.tsx';

/** Loads the company in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(companyQuery(id));
}

/** One company, as /dashboard/company/{id}. */
export default function CompanyPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(companyQuery(id));
  if (data) return <Company company={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

type Open = 'form' | 'delete' | 'erase' | null;

function Company({ company }: { company: CompanyDetailDto }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <Page
      title={company.name}
      aside={<RecordStateWord record={company} />}
      actions={<Actions company={company} onOpen={setOpen} />}
    >
      <CompanyFacts company={company} />
      <PlanUseSection plan={company.plan} />
      <ArchiveSection companyId={company._id} />
      {open === 'form' && <CompanyDialog company={company} onClose={close} />}
      {open === 'delete' && <DeleteCompanyDialog company={company} onClose={close} />}
      {open === 'erase' && (
        <EraseCompanyDialog company={company} onClose={close} onDone={() => void navigate('/dashboard/company')} />
      )}
    </Page>
  );
}

function Actions({ company, onOpen }: { company: CompanyDto; onOpen: (what: Open) => void }) {
  const t = useWords(companyWords);
  const r = useWords(recordWords);
  const restore = useRestoreCompany();
  const { abilities } = company;
  return (
    <>
      {abilities.edit && <Button onClick={() => onOpen('form')}>{t.edit}</Button>}
      {abilities.delete && <Button onClick={() => onOpen('delete')}>{t.remove}</Button>}
      {abilities.restore && <Button onClick={() => restore(company)}>{r.restore}</Button>}
      {abilities.erase && <Button onClick={() => onOpen('erase')}>{r.erase}</Button>}
    </>
  );
}

function CompanyFacts({ company }: { company: CompanyDto }) {
  const t = useWords(companyWords);
  const r = useWords(recordWords);
  const { createdBy } = company;
  const creator = createdBy && `${fullName(createdBy)} (${shownAddress(createdBy.email)})`;
  return (
    <>
      <Section title={t.contact}>
        <Facts
          rows={[
            [t.industry, company.industry],
            [t.email, shownAddress(company.email)],
            [t.phone, company.phone],
          ]}
        />
      </Section>
      <Section title={t.place}>
        <Facts
          rows={[
            [t.address, company.address],
            [t.city, company.city],
            [t.state, company.state],
            [t.country, company.country],
            [t.pinCode, company.pin_code],
          ]}
        />
      </Section>
      <Section title={t.facts}>
        <Facts
          rows={[
            [t.createdBy, company.is_provider ? t.provider : creator],
            [r.created, fullDay(company.createdAt)],
            [r.updated, fullDay(company.updatedAt)],
          ]}
        />
      </Section>
    </>
  );
}
