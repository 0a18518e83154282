import { answerInvitation, type InvitationDto } from '@selvage/core/contracts/invitations';
import type { EmailDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../../../components/feedback/notify.ts';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { focusRing } from '../../../theme/styles.ts';
import { answeredWords, answerWords, invitationWords } from '../../../words/invitation.ts';
import { fetchAttachment } from '../download.ts';
import { AnswerButtons, LastAnswer } from './AnswerButtons.tsx';
import { recurrenceOf, theirTimeOf, whenOf } from './event-words.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    flexShrink: 0,
    maxWidth: '720px',
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderLeft: `3px solid ${tokens.colorBrandStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  kind: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
  },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'max-content minmax(0, 1fr)',
    columnGap: tokens.spacingHorizontalM,
    rowGap: tokens.spacingVerticalXS,
    margin: 0,
  },
  name: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere' },
  quiet: { display: 'block', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  summary: { width: 'fit-content', cursor: 'pointer', color: tokens.colorNeutralForeground2, ...focusRing },
  people: { margin: 0, paddingInlineStart: tokens.spacingHorizontalXL, overflowWrap: 'anywhere' },
  actions: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

interface Props {
  email: EmailDto;
  invitation: InvitationDto;
}

/** The event that a message invites to, calls off or answers. */
export default function InvitationCard({ email, invitation }: Props) {
  const styles = useStyles();
  const t = useWords(invitationWords);
  const mayAnswer = can(useCurrentUser(), answerInvitation) && invitation.may_answer;
  const kind = {
    request: invitation.is_update ? t.update : t.invitation,
    // Only the organiser calls it off
    cancel: invitation.is_from_speaker ? t.cancelled : t.aboutEvent,
    reply: t.reply,
  };
  return (
    <section className={styles.root} aria-label={kind[invitation.method]}>
      <span className={styles.kind}>{kind[invitation.method]}</span>
      <h3 className={styles.title} dir="auto">
        {invitation.title || t.noTitle}
      </h3>
      <Said email={email} invitation={invitation} />
      <Facts invitation={invitation} />
      {invitation.attendees.length > 0 && invitation.method !== 'reply' && <People invitation={invitation} />}
      {invitation.method === 'request' && <LastAnswer answer={invitation.answer} />}
      <div className={styles.actions}>
        {mayAnswer && <AnswerButtons id={email._id} invitation={invitation} />}
        {invitation.method === 'request' && <AddButton invitation={invitation} />}
      </div>
    </section>
  );
}

/** What became of the event, and what its reader should know before answering. */
function Said({ email, invitation }: Props) {
  const t = useWords(invitationWords);
  const answered = useWords(answeredWords);
  const { method, organiser, attendees } = invitation;
  if (method === 'cancel') {
    const isOne = invitation.is_one_date;
    const by = { sender: email.sender_email };
    const known = isOne ? t.isDateCancelled : t.isCancelled;
    const doubted = (isOne ? t.isDateCancelledBy : t.isCancelledBy)(by);
    return <FormMessage intent="warning" text={invitation.is_from_speaker ? known : doubted} />;
  }
  const oneDate = invitation.is_one_date && <FormMessage intent="info" text={t.isOneDate} />;
  if (method === 'reply') {
    const [one] = attendees;
    const name = one?.name || one?.address || email.sender_name || email.sender_email;
    const say = { accepted: answered.theyAccepted, tentative: answered.theyTentative, declined: answered.theyDeclined };
    const sentence = one && one.answer in say ? say[one.answer as keyof typeof say] : answered.theyAnswered;
    return (
      <>
        <FormMessage intent="info" text={sentence({ name })} />
        {one && !invitation.is_from_speaker && (
          <FormMessage intent="warning" text={t.notFromThem({ sender: email.sender_email, address: one.address })} />
        )}
        {oneDate}
      </>
    );
  }
  return (
    <>
      {oneDate}
      {invitation.is_outdated && <FormMessage intent="info" text={t.isOutdated} />}
      {organiser && !invitation.is_from_speaker && (
        <FormMessage
          intent="info"
          text={t.notFromOrganiser({ sender: email.sender_email, organiser: organiser.address })}
        />
      )}
    </>
  );
}

function Facts({ invitation }: Pick<Props, 'invitation'>) {
  const styles = useStyles();
  const t = useWords(invitationWords);
  const { organiser, where } = invitation;
  const theirs = theirTimeOf(invitation);
  const facts: [name: string, value: string, quiet?: string | null][] = [
    [t.when, whenOf(invitation), theirs],
    [t.repeats, recurrenceOf(invitation) ?? ''],
    [t.where, where],
    [t.organiser, organiser ? organiser.name || organiser.address : '', organiser?.name ? organiser.address : null],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value, quiet]) => [
          <dt key={`${name} name`} className={styles.name}>
            {name}
          </dt>,
          <dd key={name} className={styles.value} dir="auto">
            {value}
            {quiet && <span className={styles.quiet}>{quiet}</span>}
          </dd>,
        ])}
    </dl>
  );
}

function People({ invitation: { attendees, attendee_count: total } }: Pick<Props, 'invitation'>) {
  const styles = useStyles();
  const t = useWords(invitationWords);
  const answers = useWords(answerWords);
  return (
    <details>
      <summary className={styles.summary}>{t.people(total)}</summary>
      <ul className={styles.people}>
        {attendees.map((one, index) => (
          <li key={index} dir="auto">
            {t.personIs({
              name: one.name || one.address,
              facts: [one.is_me && t.me, one.is_optional && t.optional, answers[one.answer]].filter(Boolean).join(', '),
            })}
          </li>
        ))}
        {total > attendees.length && <li>{t.more(total - attendees.length)}</li>}
      </ul>
    </details>
  );
}

function AddButton({ invitation }: Pick<Props, 'invitation'>) {
  const t = useWords(invitationWords);
  const save = useMutation({
    mutationFn: async () => saveFile('invitation.ics', await fetchAttachment(invitation)),
    onError: notify.error,
  });
  return (
    <Button appearance="subtle" disabledFocusable={save.isPending} onClick={() => save.mutate()}>
      {t.addToCalendar}
    </Button>
  );
}
