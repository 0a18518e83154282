import { makeStyles } from '@fluentui/react-components';
import { StarFilled, StarRegular } from '@fluentui/react-icons/svg/star';
import { IconButton } from '../../components/IconButton.tsx';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { fingerSize } from '../../theme/styles.ts';
import { mailActionWords, mailListWords } from '../../words/mail-list.ts';

const useStyles = makeStyles({ button: fingerSize, star: { color: own.star } });

interface Props {
  /** The subject of the message, so that screen readers can tell one star from the next. */
  subject: string;
  isStarred: boolean;
  /** Left out for a star that can only be looked at. */
  onPress: (() => void) | undefined;
}

/** The star of a message. */
export function StarButton({ subject, isStarred, onPress }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const tips = useWords(mailActionWords);
  return (
    <IconButton
      label={isStarred ? t.removeStar({ subject }) : t.addStar({ subject })}
      tip={isStarred ? tips.removeStar : tips.addStar}
      size="small"
      className={styles.button}
      aria-pressed={isStarred}
      icon={isStarred ? <StarFilled className={styles.star} /> : <StarRegular />}
      disabled={!onPress}
      onClick={onPress}
    />
  );
}
