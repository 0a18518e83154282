import { useWords } from '../../lib/i18n.ts';
import { noPageWords } from '../../words/no-page.ts';
import { TextLink } from '../TextLink.tsx';
import { StatusPage } from './StatusPage.tsx';

/** Shown instead of a page that the person's role does not open. */
export function Forbidden() {
  const t = useWords(noPageWords);
  return (
    <StatusPage
      isPage
      isAlert
      title={t.forbiddenTitle}
      hint={t.forbiddenText}
      action={<TextLink to="/dashboard/home">{t.toStart}</TextLink>}
    />
  );
}
