import { Badge, Button, Link, makeStyles, Switch, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { Section } from '../../../components/page/Section.tsx';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';
import { RenewCodesDialog } from './RenewCodesDialog.tsx';
import { TurnOffDialog } from './TurnOffDialog.tsx';
import { TurnOnDialog } from './TurnOnDialog.tsx';

const useStyles = makeStyles({
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  codes: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, flex: '1 1 220px' },
});

const FEW_CODES = 3;

type Open = 'on' | 'off' | 'replace' | 'lost' | 'renew' | null;

/** The second factor of a login. */
export function TwoFactorSection() {
  const styles = useStyles();
  const t = useWords(twoFactorWords);
  const user = useCurrentUser();
  const [open, setOpen] = useState<Open>(null);
  if (!user) return null;
  const isOn = user.twoFactorStatus;
  const close = (): void => setOpen(null);
  return (
    <Section
      id="two-factor"
      title={t.title}
      hint={t.hint}
      action={
        <Switch
          checked={isOn}
          label={isOn ? t.on : t.off}
          aria-label={t.title}
          onChange={() => setOpen(isOn ? 'off' : 'on')}
        />
      }
    >
      {isOn && (
        <>
          <div className={styles.line}>
            <span className={styles.codes}>
              {t.codesLeft(user.recovery_codes_left)}
              {user.recovery_codes_left <= FEW_CODES && (
                <Badge appearance="tint" color="warning">
                  {t.renewSoon}
                </Badge>
              )}
            </span>
            <Button onClick={() => setOpen('renew')}>{t.renew}</Button>
            <Button onClick={() => setOpen('replace')}>{t.replace}</Button>
          </div>
          <span>
            <Link as="button" inline onClick={() => setOpen('lost')}>
              {t.lostAccess}
            </Link>
          </span>
        </>
      )}
      {(open === 'on' || open === 'replace') && <TurnOnDialog isReplacing={open === 'replace'} onClose={close} />}
      {(open === 'off' || open === 'lost') && <TurnOffDialog hasLostAccess={open === 'lost'} onClose={close} />}
      {open === 'renew' && <RenewCodesDialog onClose={close} />}
    </Section>
  );
}
