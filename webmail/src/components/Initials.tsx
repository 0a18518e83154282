import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useState } from 'react';

const useStyles = makeStyles({
  root: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    flexShrink: 0,
    width: '32px',
    height: '32px',
    borderRadius: tokens.borderRadiusCircular,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    userSelect: 'none',
    overflow: 'hidden',
  },
  large: { width: '40px', height: '40px', fontSize: tokens.fontSizeBase400 },
  huge: { width: '96px', height: '96px', fontSize: tokens.fontSizeHero700 },
  image: { width: '100%', height: '100%', objectFit: 'cover' },
  brand: { backgroundColor: tokens.colorBrandBackgroundStatic, color: tokens.colorNeutralForegroundStaticInverted },
  blue: { backgroundColor: tokens.colorPaletteBlueBackground2, color: tokens.colorPaletteBlueForeground2 },
  teal: { backgroundColor: tokens.colorPaletteTealBackground2, color: tokens.colorPaletteTealForeground2 },
  forest: { backgroundColor: tokens.colorPaletteForestBackground2, color: tokens.colorPaletteForestForeground2 },
  plum: { backgroundColor: tokens.colorPalettePlumBackground2, color: tokens.colorPalettePlumForeground2 },
  grape: { backgroundColor: tokens.colorPaletteGrapeBackground2, color: tokens.colorPaletteGrapeForeground2 },
  brown: { backgroundColor: tokens.colorPaletteBrownBackground2, color: tokens.colorPaletteBrownForeground2 },
  steel: { backgroundColor: tokens.colorPaletteSteelBackground2, color: tokens.colorPaletteSteelForeground2 },
});

const colors = ['blue', 'teal', 'forest', 'plum', 'grape', 'brown', 'steel'] as const;

/** The first letters of the first and the last word that begin with a letter. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /^\p{L}/u.test(word));
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase()).join('') || '?';
}

function colorOf(name: string): (typeof colors)[number] {
  const sum = [...name].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7);
  return colors[sum % colors.length] ?? 'blue';
}

interface Props {
  name: string;
  /** A picture to show instead. */
  image?: string | null | undefined;
  size?: 'medium' | 'large' | 'huge';
  /** One colour for the reader, and for others one that stays theirs. */
  isSelf?: boolean;
}

/** A person at a glance; decoration only, the name stands beside it. */
export function Initials({ name, image, size = 'medium', isSelf = false }: Props) {
  const styles = useStyles();
  const color = isSelf ? 'brand' : colorOf(name);
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={mergeClasses(styles.root, styles[color], size !== 'medium' && styles[size])} aria-hidden>
      {image && image !== broken ? (
        <img className={styles.image} src={image} alt="" onError={() => setBroken(image)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}
