import { useNavigate } from 'react-router-dom';
import ChangeOwnPassword from '../../components/password/ChangeOwnPassword.tsx';

/** /dashboard/change_password. Afterwards the person logs in with the new password. */
export default function ChangePasswordPage() {
  const navigate = useNavigate();
  const handleCancel = (): void => {
    const isFirst = (window.history.state as { idx?: number } | null)?.idx === 0;
    void (isFirst ? navigate('/dashboard/inbox', { replace: true }) : navigate(-1));
  };
  return <ChangeOwnPassword onCancel={handleCancel} />;
}
