import { useQuery } from '@tanstack/react-query';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useWords } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';
import { firstCompaniesQuery } from './queries.ts';

/** How people of the provider host their first company; nothing once there is one. */
export function FirstCompany() {
  const t = useWords(homeWords);
  const { data } = useQuery(firstCompaniesQuery);
  // A company may have been added without a client
  if (!data || data.rows.some(({ is_provider: isHost }) => !isHost)) return null;
  const way = <TextLink to="/dashboard/client">{t.hostFirst}</TextLink>;
  return <FormMessage intent="info" text={t.firstCompany} action={way} />;
}
