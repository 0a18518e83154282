import { createDomain, type DomainDetailDto } from '@selvage/core/contracts/domains';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { CompanyName } from '../../components/CompanyName.tsx';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Section } from '../../components/page/Section.tsx';
import { TabbedPage } from '../../components/page/TabbedPage.tsx';
import type { PageTab } from '../../components/page/Tabs.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { dnsCheckWords } from '../../words/dns-check.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';
import { domainWords } from '../../words/domains.ts';
import { recordWords } from '../../words/records.ts';
import { CheckTab } from './check/CheckTab.tsx';
import { DkimTab } from './DkimTab.tsx';
import { DomainState, ExpirationDay } from './DomainState.tsx';
import { EditDomainDialog } from './EditDomainDialog.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { NextStep } from './NextStep.tsx';
import { ProofSection } from './ProofSection.tsx';
import { domainQuery, isWaiting, type NamedDomain } from './queries.ts';
import { RecordsTab } from './RecordsTab.tsx';
import { DeleteDomainDialog, EraseDomainDialog, useRestoreDomain } from './removal-dialogs.tsx';
import { useSayVerified } from './use-say-verified.ts';

const useStyles = makeStyles({ actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS } });

/** Loads the domain in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(domainQuery(id));
}

/** One domain, as /dashboard/domain/{id}. */
export default function DomainPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(domainQuery(id));
  if (data) return <Domain key={id} domain={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

type Open = 'edit' | 'delete' | 'erase' | null;

function Domain({ domain }: { domain: NamedDomain }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  useSayVerified(domain.verified);
  return (
    <>
      <TabbedPage
        title={domain.name}
        aside={<DomainState domain={domain} />}
        actions={<Actions domain={domain} onOpen={setOpen} />}
        lead={
          <>
            <Details domain={domain} />
            {isWaiting(domain) && <ProofSection domain={domain} />}
            <NextStep domain={domain} />
          </>
        }
        parameter="tab"
        tabs={tabsOf(domain)}
      >
        {(tab) => {
          const Tab = tabs[tab];
          return <Tab domain={domain} />;
        }}
      </TabbedPage>
      {open === 'edit' && <EditDomainDialog domain={domain} onClose={close} />}
      {open === 'delete' && <DeleteDomainDialog domain={domain} onClose={close} />}
      {open === 'erase' && (
        <EraseDomainDialog domain={domain} onClose={close} onDone={() => void navigate('/dashboard/domain')} />
      )}
    </>
  );
}

const tabs = { records: RecordsTab, dkim: DkimTab, check: CheckTab, history: HistoryTab } as const;

type Tab = PageTab<keyof typeof tabs>;

/** The tab that makes a DKIM key is only for people who may edit the domain. */
function tabsOf({ abilities, deletedAt }: DomainDetailDto): readonly [Tab, ...Tab[]] {
  const t = wordsOf(dnsRecordWords);
  const records: Tab = { name: 'records', label: abilities.edit ? t.addRecords : t.records };
  if (deletedAt !== null) return [records];
  const check: Tab = { name: 'check', label: wordsOf(dnsCheckWords).tab };
  const history: Tab = { name: 'history', label: wordsOf(domainGuardWords).history };
  return abilities.edit ? [records, { name: 'dkim', label: t.openDkim }, check, history] : [records, check, history];
}

function Details({ domain }: { domain: NamedDomain }) {
  const t = useWords(domainWords);
  const r = useWords(recordWords);
  const company = <CompanyName key="company" company={domain.company_id} />;
  return (
    <Section title={t.details}>
      <Facts
        rows={[
          [t.domainName, domain.name],
          [t.companyName, company],
          [t.expiration, <ExpirationDay key="day" day={domain.expiration_date} />],
          [r.status, <DomainState key="state" domain={domain} />],
        ]}
      />
    </Section>
  );
}

function Actions({ domain, onOpen }: { domain: DomainDetailDto; onOpen: (what: Open) => void }) {
  const styles = useStyles();
  const t = useWords(domainWords);
  const r = useWords(recordWords);
  const restore = useRestoreDomain();
  const navigate = useNavigate();
  const mayCreate = can(useCurrentUser(), createDomain);
  const { abilities } = domain;
  return (
    <div className={styles.actions}>
      {domain.deletedAt === null && mayCreate && (
        <Button onClick={() => void navigate(`/dashboard/domain/setup_guide/${domain._id}`)}>{t.setupGuide}</Button>
      )}
      {abilities.edit && <Button onClick={() => onOpen('edit')}>{t.edit}</Button>}
      {abilities.delete && <Button onClick={() => onOpen('delete')}>{t.remove}</Button>}
      {abilities.restore && <Button onClick={() => restore(domain)}>{r.restore}</Button>}
      {abilities.erase && <Button onClick={() => onOpen('erase')}>{r.erase}</Button>}
    </div>
  );
}
