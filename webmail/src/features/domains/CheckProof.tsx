import { verifyDomain } from '@selvage/core/contracts/domains';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { Ring } from '../../components/feedback/Ring.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainWords } from '../../words/domains.ts';
import { useShowDomain } from './queries.ts';

const useStyles = makeStyles({
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

interface Props {
  domainId: string;
  /** Whether the person may start a check of the DNS. */
  mayCheck: boolean;
  /** Other ways to verify the domain, beside the button. */
  children?: ReactNode;
}

/** A button that looks in the DNS for the proof of a domain at once. */
export function CheckProof({ domainId, mayCheck, children }: Props) {
  const styles = useStyles();
  const t = useWords(domainWords);
  const { isBusy, failure, run } = useCheck(domainId);
  return (
    <>
      <FormMessage intent="warning" text={failure} />
      <div className={styles.buttons}>
        {mayCheck && (
          <Button
            appearance="primary"
            disabledFocusable={isBusy}
            icon={isBusy ? <Ring /> : undefined}
            onClick={() => void run()}
          >
            {isBusy ? t.checking : t.checkNow}
          </Button>
        )}
        {children}
      </div>
    </>
  );
}

/** Checks the DNS now, and shows a failure until the next check. */
function useCheck(id: string) {
  const show = useShowDomain();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await show(await api(verifyDomain, { params: { id } }));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
