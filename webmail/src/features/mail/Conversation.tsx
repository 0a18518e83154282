import type { EmailDto } from '@selvage/core/contracts/mail';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { useId, useState } from 'react';
import { rowDate } from '../../lib/format.ts';
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
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  who: { flexGrow: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  body: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, padding: tokens.spacingHorizontalM },
  quiet: { color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap' },
});

type Reply = EmailDto['replies'][number];

/** The other messages of the conversation, folded. */
export function Conversation({ replies }: { replies: Reply[] }) {
  const styles = useStyles();
  if (replies.length === 0) return null;
  return (
    <section className={styles.root} aria-labelledby="replies">
      <h2 id="replies" className={styles.title}>
        Replies ({replies.length})
      </h2>
      {replies.map((reply) => (
        <ReplyCard key={reply._id} reply={reply} />
      ))}
    </section>
  );
}

function ReplyCard({ reply }: { reply: Reply }) {
  const styles = useStyles();
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
        <Text weight="semibold" className={styles.who}>
          {reply.sender_name || reply.sender_email}
        </Text>
        <Text size={200} className={styles.quiet}>
          {rowDate(reply.createdAt)}
        </Text>
      </button>
      {isOpen && (
        <div id={bodyId} className={styles.body}>
          <AttachmentList attachments={reply.attachments} />
          <MessageFrame
            isSmall
            body={reply.body}
            framePath={reply.frame_path}
            hasRemoteContent={reply.hasRemoteContent}
            title={`Text of ${subjectOf(reply)}`}
          />
        </div>
      )}
    </article>
  );
}
