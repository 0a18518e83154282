import type { EmailDto } from '@selvage/core/contracts/email';
import { addImageSender } from '@selvage/core/contracts/image-senders';
import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type MouseEvent, useMemo } from 'react';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { useIsDark } from '../../theme/use-is-dark.ts';
import { readingWords } from '../../words/reading.ts';
import { frameDocument } from './mail-frame.ts';
import { usePictures } from './shown-pictures.ts';
import { isForward } from './subject-prefix.ts';
import { useFrame } from './use-frame.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, flexShrink: 0, gap: tokens.spacingVerticalS },
  frame: {
    display: 'block',
    width: '100%',
    minHeight: '64px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    // A message with its own styles is made for white paper, in the dark theme too
    colorScheme: 'light',
  },
  // The same value as in the document, or the browser would put white behind it
  dark: { colorScheme: 'dark' },
  choices: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

interface Props {
  message: EmailDto | EmailDto['replies'][number];
  title: string;
}

/**
 * The text of a message in an isolated frame that is as tall as the text: the page around it
 * scrolls.
 */
export function MessageFrame({ message, title }: Props) {
  const styles = useStyles();
  const { body: html, sheet, look, hasRemoteContent, subject } = message;
  const isDark = useIsDark();
  const { imagesPath, show, showAlways } = usePictures(message);
  const { frame, height } = useFrame();
  const source = useMemo(() => {
    const { origin } = window.location;
    return frameDocument({ html, sheet, look, isDark, imagesPath, origin, isForward: isForward(subject) });
  }, [html, sheet, look, isDark, imagesPath, subject]);
  const goOnInText =
    (run: () => void) =>
    ({ currentTarget: button }: MouseEvent<HTMLElement>): void => {
      // The button is removed, and the focus would fall to the page
      if (button.matches(':focus-visible')) frame.current?.focus();
      run();
    };
  return (
    <div className={styles.root}>
      {hasRemoteContent && imagesPath === null && (
        <PicturesHeld message={message} onShow={goOnInText(show)} onAlways={goOnInText(showAlways)} />
      )}
      <iframe
        ref={frame}
        className={mergeClasses(styles.frame, isDark && look !== 'designed' && styles.dark)}
        style={height === null ? undefined : { height }}
        title={title}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={source}
      />
    </div>
  );
}

interface HeldProps {
  message: Props['message'];
  onShow: (event: MouseEvent<HTMLElement>) => void;
  onAlways: (event: MouseEvent<HTMLElement>) => void;
}

/** The choice is offered only where it is proved who sent the message. */
function PicturesHeld({ message, onShow, onAlways }: HeldProps) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const mayAlways = can(useCurrentUser(), addImageSender) && message.may_always_show_images;
  return (
    <FormMessage
      intent="info"
      text={t.picturesHeld}
      action={
        <span className={styles.choices}>
          <Button size="small" onClick={onShow}>
            {t.showPictures}
          </Button>
          {mayAlways && (
            <Button size="small" onClick={onAlways} aria-label={t.alwaysShowOf({ address: message.sender_email })}>
              {t.alwaysShow}
            </Button>
          )}
        </span>
      }
    />
  );
}
