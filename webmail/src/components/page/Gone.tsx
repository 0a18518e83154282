import { useLocation } from 'react-router-dom';
import { useWords } from '../../lib/i18n.ts';
import { wayBack } from '../../lib/origin.ts';
import { noPageWords } from '../../words/no-page.ts';
import { TextLink } from '../TextLink.tsx';
import { StatusPage } from './StatusPage.tsx';

/** Shown instead of a record that does not exist, or no longer does: the server answered 404. */
export function Gone() {
  const t = useWords(noPageWords);
  const place = useLocation();
  return (
    <StatusPage
      isPage
      isAlert
      title={t.goneTitle}
      hint={t.goneText}
      action={<TextLink to={wayBack(place)}>{t.back}</TextLink>}
    />
  );
}
