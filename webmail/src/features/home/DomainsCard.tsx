import { createDomain } from '@selvage/core/contracts/domains';
import { useQuery } from '@tanstack/react-query';
import { StateWord } from '../../components/StateWord.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { morningWords } from '../../words/morning.ts';
import { MorningCard } from './MorningCard.tsx';
import { domainsQuery } from './morning-queries.ts';
import { NamedList } from './NamedList.tsx';

/** The domains whose DNS has a problem, the worst first, and the way to the guide of each. */
export function DomainsCard({ total }: { total: number | undefined }) {
  const t = useWords(morningWords);
  const user = useCurrentUser();
  const query = useQuery(domainsQuery);
  return (
    <MorningCard
      title={t.domains}
      query={query}
      renderAside={({ broken, weak }) =>
        broken > 0 ? (
          <StateWord kind="bad">{t.domainsBroken(broken)}</StateWord>
        ) : (
          weak > 0 && <StateWord kind="held">{t.domainsWeak(weak)}</StateWord>
        )
      }
    >
      {({ worst }) => (
        <>
          {worst.length > 0 && (
            <NamedList
              rows={worst.map(({ _id, domain_name: name, problems }) => ({
                key: _id,
                name: (
                  <>
                    <strong dir="auto">{shownAddress(name)}</strong>
                    <br />
                    {(problems.find(({ level }) => level === 'error') ?? problems[0])?.text}
                  </>
                ),
                value: (
                  <TextLink
                    to={`/dashboard/domain/setup_guide/${_id}`}
                    aria-label={t.setUpOf({ name: shownAddress(name) })}
                  >
                    {t.setUp}
                  </TextLink>
                ),
              }))}
            />
          )}
          {worst.length === 0 && total !== undefined && <span>{total === 0 ? t.noDomains : t.domainsGood}</span>}
          {total === 0 ? (
            can(user, createDomain) && <TextLink to="/dashboard/domain">{t.addDomain}</TextLink>
          ) : (
            <TextLink to="/dashboard/domain/health">{t.allDomains}</TextLink>
          )}
        </>
      )}
    </MorningCard>
  );
}
