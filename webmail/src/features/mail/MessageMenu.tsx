import type { EmailDto } from '@selvage/core/contracts/mail';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { print, usePrintKey } from './use-print.ts';

const menu = lazyMenu(() => import('../../components/list/RowMenu.tsx'));

/** What is done with an open message more seldom. */
export function MessageMenu({ email }: { email: EmailDto }) {
  const t = useWords(readingWords);
  usePrintKey(email);
  const items = [{ label: t.print, run: () => void print(email) }];
  return <LazyMenu label={t.more} icon={<MoreHorizontalRegular />} menu={menu} items={items} size="small" />;
}
