import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LightPaper } from '../../components/LightPaper.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { captchaWords } from '../../words/captcha.ts';
import { captchaQuery } from './queries.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  picture: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  frame: {
    flexGrow: 1,
    height: '64px',
    borderRadius: tokens.borderRadiusMedium,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    overflow: 'hidden',
  },
  // Its words begin where the field does
  play: { marginLeft: '-9px', color: tokens.colorBrandForegroundLink },
  image: { display: 'block', width: '100%', height: '100%', objectFit: 'contain' },
});

/** For people who can't see the picture. */
async function play(token: string): Promise<void> {
  const { playLetters } = await import('./play-letters.ts');
  await playLetters(token);
}

interface Props {
  form: FieldForm<{ captcha: string }>;
}

/** A picture of letters, and the field to copy them into. */
export function CaptchaField({ form }: Props) {
  const styles = useStyles();
  const t = useWords(captchaWords);
  const { data, error, isFetching, refetch } = useQuery(captchaQuery);
  const source = data && `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`;
  const isUnavailable = error !== null && !form.problems['captcha'];

  // The letters belong to one picture: a new one makes them worthless
  const { set } = form;
  const token = data?.captcha_token;
  const letters = useRef('');
  letters.current = form.values.captcha;
  useEffect(() => {
    // An empty field keeps the problem that it shows
    if (token && letters.current) set('captcha', '');
  }, [set, token]);
  return (
    <div className={styles.root}>
      <div className={styles.picture}>
        <LightPaper className={styles.frame}>
          {source ? (
            <img className={styles.image} src={source} alt={t.picture} />
          ) : (
            <Placeholder label={t.loading}>
              <Bar height={64} />
            </Placeholder>
          )}
        </LightPaper>
        <IconButton
          label={t.renew}
          icon={<ArrowClockwiseRegular />}
          disabledFocusable={isFetching}
          onClick={() => !isFetching && void refetch()}
        />
      </div>
      <TextField
        form={isUnavailable ? { ...form, problems: { ...form.problems, captcha: messageOf(error) } } : form}
        name="captcha"
        label={t.letters}
        isRequired
        hint={
          token && (
            <Button size="small" appearance="transparent" className={styles.play} onClick={() => void play(token)}>
              {t.play}
            </Button>
          )
        }
        autoCapitalize="none"
        spellCheck={false}
      />
    </div>
  );
}
