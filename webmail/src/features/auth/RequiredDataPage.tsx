import { Button } from '@fluentui/react-components';
import { useNavigate } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { requestLogout } from '../../lib/request-logout.ts';
import { requiredDataWords } from '../../words/required-data.ts';
import { AuthCard } from './AuthCard.tsx';

/**
 * /required_data: where a company's first administrator is sent while the company's details are
 * missing.
 */
export default function RequiredDataPage() {
  const t = useWords(requiredDataWords);
  const navigate = useNavigate();
  return (
    <AuthCard title={t.title}>
      <FormMessage intent="info" text={t.text} />
      <Button appearance="primary" size="large" onClick={() => void navigate('/dashboard/inbox')}>
        {t.goOn}
      </Button>
      <Button size="large" onClick={() => void requestLogout()}>
        {t.logout}
      </Button>
    </AuthCard>
  );
}
