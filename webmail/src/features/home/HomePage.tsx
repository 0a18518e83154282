import { getMailDay } from '@selvage/core/contracts/dashboard';
import { type ClientDto, createClient, getClient, listClients } from '@selvage/core/contracts/clients';
import { listCompanies } from '@selvage/core/contracts/companies';
import { listDomains } from '@selvage/core/contracts/domains';
import { getLedgerProof } from '@selvage/core/contracts/ledger-proof';
import { getRefusedSignIns, getStorageUse } from '@selvage/core/contracts/morning';
import { createUser, listUsers } from '@selvage/core/contracts/users';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { can, isOfProvider } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { useWords } from '../../lib/i18n.ts';
import { clientsKey } from '../../lib/record-keys.ts';
import { homeWords } from '../../words/home.ts';
import { pageWords } from '../../words/pages.ts';
import { FirstCompany } from './FirstCompany.tsx';
import { GrowthSection } from './GrowthSection.tsx';
import { MailSection } from './MailSection.tsx';
import { growthQuery, thisMonth } from './queries.ts';
import { TotalCard } from './TotalCard.tsx';

const Morning = lazyExtra(() => import('./Morning.tsx'));

const useStyles = makeStyles({
  cards: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalL },
  client: { width: '220px' },
  first: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

const clientRecords = {
  list: listClients,
  get: getClient,
  queryKey: clientsKey,
  keyOf: ({ _id }: ClientDto) => _id,
  nameOf: ({ company_id: { name } }: ClientDto) => name,
};

export function fetchAhead({ client }: FetchAheadContext): void {
  void client.prefetchQuery(growthQuery(thisMonth));
}

/** Where a person arrives: how many people and domains there are, and how they grew. */
export default function HomePage() {
  const styles = useStyles();
  const t = useWords(homeWords);
  const { home } = useWords(pageWords);
  const user = useCurrentUser();
  const [clientId, setClientId] = useState('');
  const { data, error, refetch } = useQuery(growthQuery(thisMonth));
  const isHost = isOfProvider(user);
  const mayPickClient = isHost && can(user, { model: 'home', action: 'create' }) && can(user, listClients);
  const seesClients = isHost && can(user, { model: 'home', action: 'edit' });
  const hasMorning =
    [getStorageUse, getRefusedSignIns, listDomains].some((call) => can(user, call)) ||
    (isHost && can(user, getLedgerProof));
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Page title={home}>
      <div className={styles.cards}>
        <TotalCard
          title={t.totalUsers}
          total={data?.totals.users}
          to={can(user, listUsers) ? '/dashboard/user' : null}
          manageLabel={t.manageUsers}
        />
        <TotalCard
          title={t.totalDomains}
          total={data?.totals.domains}
          to={can(user, listDomains) ? '/dashboard/domain' : null}
          manageLabel={t.manageDomains}
        />
      </div>
      {data?.totals.users === 1 && can(user, createUser) && (
        <div className={styles.first}>
          <span>{t.firstPerson}</span>
          <TextLink to="/dashboard/user">{t.addFirst}</TextLink>
        </div>
      )}
      {isHost && can(user, listCompanies) && can(user, createClient) && <FirstCompany />}
      {hasMorning && <Morning domains={data?.totals.domains} />}
      {can(user, getMailDay) && <MailSection />}
      <GrowthSection kind="users" clientId={clientId}>
        {mayPickClient && (
          <RecordPicker
            records={clientRecords}
            value={clientId}
            onPick={setClientId}
            label={t.client}
            placeholder={t.allClients}
            className={styles.client}
          />
        )}
      </GrowthSection>
      {seesClients && <GrowthSection kind="clients" />}
    </Page>
  );
}
