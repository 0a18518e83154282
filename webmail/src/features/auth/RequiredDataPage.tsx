import { Button } from '@fluentui/react-components';
import { useNavigate } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { AuthCard } from './AuthCard.tsx';
import { useLogout } from './use-logout.ts';

/** /required_data: where a company's first administrator is sent while the company's details are missing. */
export function RequiredDataPage() {
  const navigate = useNavigate();
  const logOut = useLogout();
  return (
    <AuthCard title="Your company is not set up yet">
      <FormMessage
        intent="info"
        text="The details of your company and the DNS records of its mail domain are still missing. Until the records are in place, mail from outside may not reach you, and what you send may be taken for spam."
      />
      <Button appearance="primary" size="large" onClick={() => void navigate('/dashboard/inbox')}>
        Continue to mail
      </Button>
      <Button size="large" onClick={() => void logOut()}>
        Logout
      </Button>
    </AuthCard>
  );
}
