import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DocumentTextRegular } from '@fluentui/react-icons/svg/document-text';
import { TextEditStyleRegular } from '@fluentui/react-icons/svg/text-edit-style';
import { useStore } from '@nanostores/react';
import { type ReactNode, useState } from 'react';
import { FileChoice } from '../../../components/FileChoice.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { Toolbar } from '../../../components/Toolbar.tsx';
import { useMedia } from '../../../hooks/use-media.ts';
import { useWords } from '../../../lib/i18n.ts';
import { NARROW } from '../../../theme/breakpoints.ts';
import { composeWords } from '../../../words/compose.ts';
import { limitWords } from './attachments.ts';
import { SendButton } from './SendButton.tsx';
import { useReminder } from './use-reminder.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    flexShrink: 0,
    paddingTop: tokens.spacingVerticalS,
  },
  tools: { display: 'flex', alignItems: 'center', flexShrink: 0 },
  options: { flexGrow: 1, flexWrap: 'nowrap', gap: 0 },
  space: { flexGrow: 1 },
  clear: { minWidth: 'auto', whiteSpace: 'nowrap' },
  on: { backgroundColor: tokens.colorSubtleBackgroundSelected, color: tokens.colorBrandForeground1 },
});

interface Props {
  message: OpenMessage;
  /** The tools that format the text; null for a plain text. */
  tools: ReactNode;
  /** There is little room for the line. */
  isSmall: boolean;
  signatureMenu: ReactNode;
  /** The time that the Send button shows; null for at once. */
  sendAt: Date | null;
  /**
   * Sends at the given time, or at once for null. Without an argument, it sends at the time on the
   * Send button.
   */
  onSend: (at?: Date | null) => void;
  onFiles: (files: File[]) => void;
  onPlain: (isPlain: boolean) => void;
  onClear: () => void;
  onDiscard: () => void;
}

/**
 * The line below the text: Send, and what can be done with the message. Where there is little room,
 * the tools of the text are a line of their own, which a phone shows when it is asked for.
 */
export function ComposeActions(props: Props) {
  const { message, tools, isSmall, signatureMenu, sendAt, onSend, onFiles, onPlain, onClear, onDiscard } = props;
  const styles = useStyles();
  const t = useWords(composeWords);
  const { phase } = useStore(message.state);
  const reminder = useReminder(message);
  const isPhone = useMedia(NARROW);
  const isNarrow = isPhone || isSmall;
  const [isFormatShown, setFormatShown] = useState(!isPhone);
  const isPlain = tools === null;
  const hasToolLine = isNarrow && !isPlain;
  const plain = (
    <IconButton
      label={t.plain}
      size={hasToolLine ? 'small' : 'medium'}
      icon={<DocumentTextRegular />}
      className={isPlain ? styles.on : undefined}
      aria-pressed={isPlain}
      disabled={phase === 'sending'}
      onClick={() => onPlain(!isPlain)}
    />
  );
  return (
    <>
      {hasToolLine && isFormatShown && (
        <div className={styles.tools}>
          {tools}
          {plain}
        </div>
      )}
      <div className={styles.root}>
        <SendButton phase={phase} sendAt={sendAt} onSend={onSend} {...reminder} />
        {!isNarrow && tools}
        <Toolbar label={t.options} className={styles.options}>
          {hasToolLine && (
            <IconButton
              label={t.format}
              icon={<TextEditStyleRegular />}
              aria-pressed={isFormatShown}
              onClick={() => setFormatShown(!isFormatShown)}
            />
          )}
          <AttachButton isDisabled={phase === 'sending'} onFiles={onFiles} />
          {signatureMenu}
          {!hasToolLine && plain}
          <span className={styles.space} />
          <Button className={styles.clear} appearance="subtle" disabled={phase === 'sending'} onClick={onClear}>
            {t.clear}
          </Button>
          <IconButton label={t.discard} icon={<DeleteRegular />} disabled={phase === 'sending'} onClick={onDiscard} />
        </Toolbar>
      </div>
    </>
  );
}

function AttachButton({ isDisabled, onFiles }: { isDisabled: boolean; onFiles: (files: File[]) => void }) {
  const t = useWords(composeWords);
  const label = t.attach({ limits: limitWords() });
  return (
    <FileChoice label={t.filesToAttach} isMultiple onFiles={onFiles}>
      {(choose) => (
        <IconButton label={label} icon={<AttachRegular />} disabled={isDisabled} onClick={choose} data-attach />
      )}
    </FileChoice>
  );
}
