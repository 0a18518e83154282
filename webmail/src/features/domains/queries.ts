import { compareDomainRecords, type DomainDetailDto, getDomain } from '@selvage/core/contracts/domains';
import { getSetupGuide, type SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { domainsKey, guideKey, recordKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { takeAnswer } from '../../lib/take-answer.ts';
import { nextStepOf } from './next-step.ts';

/** How often a page asks whether the DNS has what its domain waits for. */
const ASK_EVERY_MS = 15_000;

/** A domain with its name in its own letters, which the breadcrumbs show. */
export interface NamedDomain extends DomainDetailDto {
  name: string;
}

const withName = (domain: DomainDetailDto): NamedDomain => ({ ...domain, name: shownAddress(domain.domain_name) });

/**
 * One domain. While it waits for its proof, for the record of a key or for a mended DNS, and the
 * page is in view, it is asked for again and again.
 */
export const domainQuery = (id: string) =>
  queryOptions<NamedDomain>({
    queryKey: recordKey(domainsKey, id),
    queryFn: async ({ signal }) => withName(await api(getDomain, { params: { id }, signal })),
    refetchInterval: ({ state: { data } }) => (data && isAwaited(data) ? ASK_EVERY_MS : false),
  });

/** A setup guide with the name of its domain in its own letters. */
export interface NamedGuide extends SetupGuideDto {
  name: string;
}

/** The guide of a domain, which looks at the DNS again while a person watches it. */
export const guideQuery = (id: string) =>
  queryOptions<NamedGuide>({
    queryKey: guideKey(id),
    queryFn: async ({ signal }) => {
      const guide = await api(getSetupGuide, { query: { domain_id: id }, signal });
      return { ...guide, name: shownAddress(guide.domain) };
    },
    refetchInterval: ({ state: { data } }) => (data && isSettled(data) ? false : ASK_EVERY_MS),
  });

/** Whether a look at the DNS could say nothing new. */
const isSettled = ({ done, extras }: SetupGuideDto): boolean => done && extras.every(({ state }) => state === 'done');

/** The DNS is asked again when a record was added, changed or deleted. */
export const comparedQuery = ({ _id: id, dns_records: records, deletedAt }: DomainDetailDto) =>
  queryOptions({
    queryKey: [...recordKey(domainsKey, id), 'compared', records],
    queryFn: ({ signal }) => api(compareDomainRecords, { params: { id }, signal }),
    enabled: records.length > 0 && deletedAt === null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { isLookUp: true },
    refetchOnWindowFocus: false,
    retry: false,
  });

/** Whether a domain has yet to be proved. */
export const isWaiting = ({ verified, deletedAt }: Pick<DomainDetailDto, 'verified' | 'deletedAt'>): boolean =>
  !verified && deletedAt === null;

const isAwaited = (domain: DomainDetailDto): boolean => {
  const step = nextStepOf(domain);
  return isWaiting(domain) || hasWaitingKey(domain) || step === 'mail' || step === 'mend';
};

const hasWaitingKey = ({ dkim_keys: keys, deletedAt }: DomainDetailDto): boolean =>
  deletedAt === null && keys.some(({ state }) => state === 'waiting');

/** Shows what a call has answered about a domain, and fetches the lists and the guide again. */
export function useShowDomain(): (domain: DomainDetailDto) => Promise<void> {
  const client = useQueryClient();
  return async (domain) => {
    await takeAnswer(client, domainQuery(domain._id).queryKey, withName(domain));
    void client.invalidateQueries({ queryKey: [...domainsKey, 'list'] });
    void client.invalidateQueries({ queryKey: guideKey(domain._id) });
  };
}
