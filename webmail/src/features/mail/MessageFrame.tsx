import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { frameDocument } from './mail-frame.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, flexShrink: 0, gap: tokens.spacingVerticalS },
  frame: {
    flexGrow: 1,
    width: '100%',
    minHeight: '320px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    // mail is written for white paper, in the dark theme too
    colorScheme: 'light',
  },
  small: { minHeight: '200px' },
});

interface Props {
  body: string;
  /** The server's page of the same text, under a content policy that lets remote pictures in. */
  framePath: string;
  hasRemoteContent: boolean;
  title: string;
  isSmall?: boolean;
}

/**
 * The text of a message, behind glass. Its height is the pane's: an opaque frame can't tell us its
 * own.
 */
export function MessageFrame({ body, framePath, hasRemoteContent, title, isSmall = false }: Props) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [showsRemote, setShowsRemote] = useState(false);
  const source = useMemo(() => frameDocument(body, window.location.origin), [body]);
  // a frame made from text inherits this page's policy, which keeps all remote pictures out
  const content = showsRemote ? { src: withImages(framePath) } : { srcDoc: source };
  return (
    <div className={styles.root}>
      {hasRemoteContent && !showsRemote && (
        <FormMessage
          intent="info"
          text={t.picturesHeld}
          action={
            <Button size="small" onClick={() => setShowsRemote(true)}>
              {t.showPictures}
            </Button>
          }
        />
      )}
      <iframe
        key={showsRemote ? 'remote' : 'local'}
        className={mergeClasses(styles.frame, isSmall && styles.small)}
        title={title}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        {...content}
      />
    </div>
  );
}

function withImages(framePath: string): string {
  return `${framePath}${framePath.includes('?') ? '&' : '?'}images=1`;
}
