import type { StorageUseDto } from '@selvage/core/contracts/morning';
import { useQuery } from '@tanstack/react-query';
import { LimitUse } from '../../components/LimitUse.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { CompanyName } from '../../components/CompanyName.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { fileSize } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { morningWords } from '../../words/morning.ts';
import { DiskUse } from './DiskUse.tsx';
import { MorningCard } from './MorningCard.tsx';
import { storageQuery } from './morning-queries.ts';
import { NamedList } from './NamedList.tsx';

/** What is stored, of what there may be, and where there is little room left. */
export function StorageCard() {
  const t = useWords(morningWords);
  const query = useQuery(storageQuery);
  return (
    <MorningCard title={t.storage} query={query}>
      {({ company, disk, ...found }) => (
        <>
          {company !== null && <Facts rows={[[t.company, <LimitUse key="use" use={company} show={fileSize} />]]} />}
          {disk !== null && <Facts rows={[[t.disk, <DiskUse key="use" disk={disk} />]]} />}
          <Fullest {...found} />
        </>
      )}
    </MorningCard>
  );
}

function Fullest({ mailboxes, companies }: Pick<StorageUseDto, 'mailboxes' | 'companies'>) {
  const t = useWords(morningWords);
  const rows = [
    ...(mailboxes ?? []).map(({ _id, email, used, limit }) => ({
      key: _id,
      name: (
        <TextLink to={`/dashboard/user/${_id}`} dir="auto">
          {shownAddress(email)}
        </TextLink>
      ),
      value: <LimitUse use={{ used, limit }} show={fileSize} />,
    })),
    ...(companies ?? []).map(({ _id, name, used, limit }) => ({
      key: _id,
      name: <CompanyName company={{ _id, name }} />,
      value: <LimitUse use={{ used, limit }} show={fileSize} />,
    })),
  ];
  if (mailboxes === null && companies === null) return null;
  if (rows.length === 0) return mailboxes === null ? t.nothingCounted : t.nothingStored;
  return <NamedList title={mailboxes === null ? t.companies : t.mailboxes} rows={rows} />;
}
