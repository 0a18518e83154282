import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { updateProfile } from '@selvage/core/contracts/profile';
import { makeStyles, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { EditRegular } from '@fluentui/react-icons/svg/edit';
import { useRef, useState } from 'react';
import { DiscardQuestion } from '../../components/dialog/DiscardQuestion.tsx';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Initials } from '../../components/Initials.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { Page } from '../../components/page/Page.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { useUnsavedWorkList } from '../../lib/unsaved-work.ts';
import { profileWords } from '../../words/profile.ts';
import { ProfileCard } from './ProfileCard.tsx';

const ProfileForm = lazyPart(() => import('./ProfileForm.tsx'));

const useStyles = makeStyles({
  person: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalL },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' },
  name: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
  role: { color: tokens.colorNeutralForeground2 },
});

/** /dashboard/profile: the person's own profile, read or changed. */
export default function ProfilePage() {
  const user = useCurrentUser();
  return user ? <Profile user={user} /> : <PageSpinner />;
}

function Profile({ user }: { user: CurrentUserDto }) {
  const styles = useStyles();
  const t = useWords(profileWords);
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [preview, setPreview] = useState<string | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const isDirty = useUnsavedWorkList().some(({ name }) => name === t.unsaved);

  const leave = (): void => {
    setEditing(false);
    setAsking(false);
    pencil.current?.focus();
  };
  const handleLeave = (): void => (isDirty ? setAsking(true) : leave());
  return (
    <Page
      title={t.title}
      actions={
        can(user, updateProfile) && (
          <IconButton
            ref={pencil}
            label={isEditing ? t.stopEditing : t.edit}
            icon={isEditing ? <DismissRegular /> : <EditRegular />}
            onPointerEnter={ProfileForm.prepare}
            onClick={isEditing ? handleLeave : () => setEditing(true)}
          />
        )
      }
    >
      <header className={styles.person}>
        <Initials name={nameOrAddress(user)} image={isEditing ? preview : user.avatar} size="huge" isSelf />
        <div className={styles.words}>
          <h2 className={styles.name} dir="auto">
            {nameOrAddress(user)}
          </h2>
          <span className={styles.role}>{user.role_id.role_name}</span>
        </div>
      </header>
      {isEditing ? (
        <ProfileForm user={user} onPreview={setPreview} onCancel={handleLeave} onSaved={leave} />
      ) : (
        <ProfileCard user={user} />
      )}
      {isAsking && <DiscardQuestion onDiscard={leave} onClose={() => setAsking(false)} />}
    </Page>
  );
}
