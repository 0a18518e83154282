import type { EmailDto } from '@selvage/core/contracts/email';
import type { FilterDto } from '@selvage/core/contracts/mail-rules';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { cut } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { wayBack } from '../../lib/origin.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { readingWords } from '../../words/reading.ts';
import { mayBeJunk } from './folder-rules.ts';
import { useChangeStatus } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';
import { print } from './use-print.ts';

const BlockDialog = lazyExtra(() => import('../rules/BlockDialog.tsx'));
const FilterDialog = lazyExtra(() => import('../rules/FilterDialog.tsx'));
const SourceDialog = lazyExtra(() => import('./SourceDialog.tsx'));
const menu = lazyMenu(() => import('../../components/list/RowMenu.tsx'));

/** On a phone the toolbar has no room for it. */
function useJunkItem(email: EmailDto): { label: string; run: () => void }[] {
  const t = useWords(mailActionWords);
  const isNarrow = useMedia(NARROW);
  const navigate = useNavigate();
  const origin = wayBack(useLocation());
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  if (!isNarrow || !mayBeJunk(email) || !mayChange(email)) return [];
  const run = (): void => {
    void changeStatus({ records: [email], patch: { junk_status: !email.junk_status }, isSaid: true });
    void navigate(origin);
  };
  return [{ label: email.junk_status ? t.notJunk : t.junk, run }];
}

const LONG_ADDRESS = 40;

/** The filter that a person most likely means: by the list, or else by the sender. */
function likeThis({ list_id: list, sender_email: sender }: EmailDto): Partial<FilterDto> {
  return { conditions: list === null ? { from: sender } : { list_id: list }, actions: { move_to: 'archive' } };
}

/** What is done with an open message more seldom. */
export function MessageMenu({ email }: { email: EmailDto }) {
  const t = useWords(readingWords);
  const [shown, setShown] = useState<'source' | 'block' | 'filter' | null>(null);
  const close = (): void => setShown(null);
  const { sender_email: sender } = email;
  const own = useCurrentUser()?.email;
  const hasSender = email.received_status && sender !== '' && sender !== own;
  const junk = useJunkItem(email);
  const items = [
    ...junk,
    { label: t.print, run: () => void print(email) },
    { label: t.viewSource, run: () => setShown('source') },
    ...(hasSender
      ? [
          { label: t.filterLikeThis, run: () => setShown('filter') },
          { label: t.block({ address: cut(sender, LONG_ADDRESS) }), run: () => setShown('block') },
        ]
      : []),
  ];
  return (
    <>
      <LazyMenu label={t.more} icon={<MoreHorizontalRegular />} menu={menu} items={items} size="small" />
      {shown === 'source' && <SourceDialog email={email} onClose={close} />}
      {shown === 'block' && <BlockDialog address={sender} onClose={close} />}
      {shown === 'filter' && <FilterDialog start={likeThis(email)} onClose={close} />}
    </>
  );
}
