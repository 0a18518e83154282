import { Forbidden } from '../../components/page/Forbidden.tsx';
import { Gone } from '../../components/page/Gone.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { noPageWords } from '../../words/no-page.ts';

interface Props {
  /** `nothing`: the person's role opens no page at all. */
  reason: 'forbidden' | 'gone' | 'nothing';
}

/** Shown instead of a page that the person may not or cannot see. */
export default function NoPage({ reason }: Props) {
  const t = useWords(noPageWords);
  if (reason === 'forbidden') return <Forbidden />;
  return reason === 'gone' ? <Gone /> : <StatusPage isPage title={t.nothingTitle} hint={t.nothingText} />;
}
