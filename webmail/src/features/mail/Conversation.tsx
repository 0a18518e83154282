import type { EmailDto } from '@selvage/core/contracts/mail';
import { makeStyles, tokens } from '@fluentui/react-components';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { useId, useState } from 'react';
import { rowDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { readingWords } from '../../words/reading.ts';
import { AttachmentList } from './AttachmentList.tsx';
import { MessageFrame } from './MessageFrame.tsx';
import { subjectOf } from './row-words.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, flexShrink: 0 },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  card: {
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    overflow: 'hidden',
  },
  head: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    width: '100%',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    border: 'none',
    backgroundColor: tokens.colorNeutralBackground2,
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    cursor: 'pointer',
    textAlign: 'left',
    ':hover': { backgroundColor: tokens.colorNeutralBackground2Hover },
    ...focusRingInside,
  },
  who: {
    flexGrow: 1,
    minWidth: 0,
    fontSize: tokens.fontSizeBase300,
    fontWeight: tokens.fontWeightSemibold,
    ...oneLine,
  },
  body: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, padding: tokens.spacingHorizontalM },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, whiteSpace: 'nowrap' },
});

type Reply = EmailDto['replies'][number];

/** The other messages of the conversation, folded. */
export function Conversation({ replies }: { replies: Reply[] }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  if (replies.length === 0) return null;
  return (
    <section className={styles.root} aria-labelledby="replies">
      <h2 id="replies" className={styles.title}>
        {t.replies({ number: replies.length })}
      </h2>
      {replies.map((reply) => (
        <ReplyCard key={reply._id} reply={reply} />
      ))}
    </section>
  );
}

function ReplyCard({ reply }: { reply: Reply }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <article className={styles.card}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDownRegular aria-hidden /> : <ChevronRightRegular aria-hidden />}
        <span className={styles.who}>{reply.sender_name || reply.sender_email}</span>
        <span className={styles.quiet}>{rowDate(reply.createdAt)}</span>
      </button>
      {isOpen && (
        <div id={bodyId} className={styles.body}>
          <AttachmentList attachments={reply.attachments} />
          <MessageFrame message={reply} title={t.textOf({ subject: subjectOf(reply) })} />
        </div>
      )}
    </article>
  );
}
