import { checkDns, type DnsCheck } from '@selvage/core/contracts/domain-check';
import type { DomainDetailDto } from '@selvage/core/contracts/domains';
import { Button } from '@fluentui/react-components';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { Bar, Placeholder } from '../../../components/feedback/Placeholder.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { Tabs } from '../../../components/page/Tabs.tsx';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useWords } from '../../../lib/i18n.ts';
import { domainsKey, recordKey } from '../../../lib/record-keys.ts';
import { dnsCheckWords } from '../../../words/dns-check.ts';
import { DkimPart, DmarcPart, MxPart, SpfPart, ZonePart } from './parts.tsx';
import { Overview } from './Overview.tsx';
import { TryRecord } from './TryRecord.tsx';

/** A minute is long enough to look at all parts of one answer. */
const FRESH_MS = 60_000;

const checkQuery = ({ _id, domain_name: domain }: DomainDetailDto) =>
  queryOptions({
    queryKey: [...recordKey(domainsKey, _id), 'check'],
    // The server looks at the keys of this host by itself
    queryFn: ({ signal }) => api(checkDns, { body: { domain, domain_id: _id, dkimSelectors: [] }, signal }),
    staleTime: FRESH_MS,
    meta: { isLookUp: true },
    refetchOnWindowFocus: false,
    retry: false,
  });

const parts = {
  overview: Overview,
  mx: MxPart,
  spf: SpfPart,
  dmarc: DmarcPart,
  dkim: DkimPart,
  dns: ZonePart,
} as const;

type PartName = keyof typeof parts;

/** What the DNS says of a domain, and what that means for its mail. */
export function CheckTab({ domain }: { domain: DomainDetailDto }) {
  const t = useWords(dnsCheckWords);
  const { data, error, isFetching, refetch } = useQuery(checkQuery(domain));
  const again = (
    <Button disabledFocusable={isFetching} onClick={() => !isFetching && void refetch()}>
      {isFetching ? t.checking : t.again}
    </Button>
  );
  return (
    <>
      <Section title={t.title} hint={t.hint} action={again}>
        {error && <FormMessage text={messageOf(error)} />}
        {data && <Parts check={data} />}
        {!data && !error && (
          <Placeholder label={t.checking}>
            <Bar height={32} />
            <Bar height={32} />
            <Bar height={32} />
          </Placeholder>
        )}
      </Section>
      <TryRecord domain={domain} />
    </>
  );
}

function Parts({ check }: { check: DnsCheck }) {
  const t = useWords(dnsCheckWords);
  const names = Object.keys(parts) as [PartName, ...PartName[]];
  const tabs = names.map((name) => ({ name, label: t[name] }));
  const [first, ...others] = tabs;
  if (!first) return null;
  return (
    <Tabs label={t.title} parameter="part" tabs={[first, ...others]}>
      {(open) => {
        const Part = parts[open];
        return <Part check={check} />;
      }}
    </Tabs>
  );
}
