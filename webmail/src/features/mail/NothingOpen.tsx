import { MailDrawing } from '../../components/drawings.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';

/** Shown beside a list while no message is open. */
export default function NothingOpen() {
  const t = useWords(mailListWords);
  return <StatusPage icon={<MailDrawing />} title={t.nothingOpen} hint={t.nothingOpenHint} />;
}
