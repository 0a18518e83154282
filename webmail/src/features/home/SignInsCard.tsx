import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../components/TextLink.tsx';
import { useWords } from '../../lib/i18n.ts';
import { morningWords } from '../../words/morning.ts';
import { MorningCard } from './MorningCard.tsx';
import { signInsQuery } from './morning-queries.ts';
import { NamedList } from './NamedList.tsx';

/**
 * How many attempts to log in, here or with a mail program, were refused lately, and from where
 * they came.
 */
export function SignInsCard() {
  const t = useWords(morningWords);
  const query = useQuery(signInsQuery);
  return (
    <MorningCard title={t.signIns} query={query}>
      {({ refused, is_more: isMore, addresses }) =>
        refused === 0 ? (
          <span>{t.noneRefused}</span>
        ) : (
          <>
            <span>{isMore ? t.refusedMore({ count: refused }) : t.refusedIn(refused)}</span>
            {addresses.length > 0 && (
              <NamedList
                title={t.addresses}
                rows={addresses.map(({ address, count }) => ({
                  key: address,
                  name: address,
                  value: count.toLocaleString(),
                }))}
              />
            )}
            <TextLink to="/dashboard/audit?area=login&period=day">{t.inLog}</TextLink>
          </>
        )
      }
    </MorningCard>
  );
}
