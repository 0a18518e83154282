import { setVacation, stopVacation } from '@selvage/core/contracts/vacation';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { BeachRegular } from '@fluentui/react-icons/svg/beach';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { giveToHeading } from '../../lib/lost-focus.ts';
import { takeAnswer } from '../../lib/take-answer.ts';
import { vacationWords } from '../../words/vacation.ts';
import { vacationQuery } from './queries.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    flexShrink: 0,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
  },
  icon: { display: 'flex', flexShrink: 0, fontSize: '18px' },
  words: { flex: '1 1 180px', minWidth: 0 },
  link: { color: tokens.colorBrandForeground1 },
});

const settingsPage = { model: 'accountsettings', action: 'view' } as const;

/** Shown above the mail while the vacation reply is on. */
export default function VacationBanner() {
  const styles = useStyles();
  const t = useWords(vacationWords);
  const client = useQueryClient();
  const user = useCurrentUser();
  const { data } = useQuery(vacationQuery);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(stopVacation, {}),
    onSuccess: async (saved) => {
      // The banner leaves, and the focus would fall to the page
      if (document.activeElement === buttonRef.current) giveToHeading();
      await takeAnswer(client, vacationQuery.queryKey, saved);
      notify.success(t.savedOff);
      await client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    },
    onError: notify.error,
  });
  if (data?.state !== 'active') return null;
  const { last_day: last } = data;
  // A day has no hour: noon is the same day wherever the person is
  const day = last && new Date(`${last}T12:00:00`).toLocaleDateString(undefined, { dateStyle: 'long' });
  return (
    <div className={styles.root} role="region" aria-label={t.title}>
      <span className={styles.icon} aria-hidden>
        <BeachRegular />
      </span>
      <span className={styles.words}>{day ? t.bannerUntil({ day }) : t.banner}</span>
      {can(user, settingsPage) && can(user, setVacation) && (
        <Link className={styles.link} to="/dashboard/accountsettings?activeTab=vacation">
          {t.change}
        </Link>
      )}
      {can(user, stopVacation) && (
        <Button ref={buttonRef} size="small" disabledFocusable={isPending} onClick={() => !isPending && mutate()}>
          {isPending ? t.turningOff : t.turnOff}
        </Button>
      )}
    </div>
  );
}
