import type { EmailDto } from '@selvage/core/contracts/mail';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { useState } from 'react';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { print } from './use-print.ts';

const SourceDialog = lazyExtra(() => import('./SourceDialog.tsx'));
const menu = lazyMenu(() => import('../../components/list/RowMenu.tsx'));

/** What is done with an open message more seldom. */
export function MessageMenu({ email }: { email: EmailDto }) {
  const t = useWords(readingWords);
  const [isSourceShown, setSourceShown] = useState(false);
  const items = [
    { label: t.print, run: () => void print(email) },
    { label: t.viewSource, run: () => setSourceShown(true) },
  ];
  return (
    <>
      <LazyMenu label={t.more} icon={<MoreHorizontalRegular />} menu={menu} items={items} size="small" />
      {isSourceShown && <SourceDialog email={email} onClose={() => setSourceShown(false)} />}
    </>
  );
}
