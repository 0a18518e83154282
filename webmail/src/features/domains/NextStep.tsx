import { createDomain, type DomainDetailDto } from '@selvage/core/contracts/domains';
import { Button } from '@fluentui/react-components';
import { useNavigate } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainWords } from '../../words/domains.ts';
import { nextStepOf } from './next-step.ts';

/** Leads from a verified domain to mail that arrives, until its DNS is known as good. */
export function NextStep({ domain }: { domain: DomainDetailDto }) {
  const t = useWords(domainWords);
  const navigate = useNavigate();
  const mayOpenGuide = can(useCurrentUser(), createDomain);
  const step = nextStepOf(domain);
  if (step === null) return null;
  return (
    <FormMessage
      intent="info"
      text={{ mail: t.nextMail, mend: t.nextMend, better: t.nextBetter }[step]}
      action={
        mayOpenGuide && (
          <Button size="small" onClick={() => void navigate(`/dashboard/domain/setup_guide/${domain._id}`)}>
            {t.openGuide}
          </Button>
        )
      }
    />
  );
}
