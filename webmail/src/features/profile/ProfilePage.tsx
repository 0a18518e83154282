import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { EditRegular } from '@fluentui/react-icons/svg/edit';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Initials } from '../../components/Initials.tsx';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { fullNameOf, isAllowed, useCurrentUser } from '../../lib/current-user.ts';
import { dropDraft, readDraft } from './draft.ts';
import { ProfileCard } from './ProfileCard.tsx';

const ProfileForm = lazy(() => import('./ProfileForm.tsx').then((m) => ({ default: m.ProfileForm })));

const useStyles = makeStyles({
  scroll: { overflowY: 'auto', flexGrow: 1 },
  page: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXXL,
    maxWidth: '720px',
    padding: tokens.spacingHorizontalXXL,
    '@media (max-width: 719px)': { padding: tokens.spacingHorizontalL },
  },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalL },
  who: { display: 'flex', flexDirection: 'column', flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' },
  name: { margin: 0, fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  quiet: { color: tokens.colorNeutralForeground2 },
});

export function ProfilePage() {
  const user = useCurrentUser();
  useEffect(() => {
    document.title = 'Profile · Selvage';
  }, []);
  if (!user) return <PageSpinner />;
  if (!isAllowed(user, 'profile', 'view')) {
    return <StatusPage title="Your role does not open the profile" hint="Ask your administrator." />;
  }
  return <Profile user={user} />;
}

function Profile({ user }: { user: CurrentUserDto }) {
  const styles = useStyles();
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(() => readDraft(client) !== undefined);
  const [isDirty, setDirty] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [preview, setPreview] = useState<string | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);

  const leave = (): void => {
    dropDraft(client);
    setEditing(false);
    setDirty(false);
    setPreview(null);
    pencil.current?.focus();
  };
  const handleLeave = (): void => (isDirty ? setAsking(true) : leave());
  const image = isEditing ? preview : user.avatar;
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <header className={styles.head}>
          <Initials name={fullNameOf(user)} image={image} size="huge" isSelf />
          <div className={styles.who}>
            <h1 className={styles.name}>{fullNameOf(user)}</h1>
            <Text className={styles.quiet}>{user.role_id.role_name}</Text>
          </div>
          {isAllowed(user, 'profile', 'edit') && (
            <IconButton
              ref={pencil}
              label={isEditing ? 'Stop editing' : 'Edit profile'}
              icon={isEditing ? <DismissRegular /> : <EditRegular />}
              onClick={isEditing ? handleLeave : () => setEditing(true)}
            />
          )}
        </header>
        {isEditing ? (
          <Suspense fallback={<PageSpinner />}>
            <ProfileForm user={user} onPreview={setPreview} onDirty={setDirty} onCancel={handleLeave} onSaved={leave} />
          </Suspense>
        ) : (
          <ProfileCard user={user} />
        )}
        {isAsking && (
          <ConfirmDialog
            title="Discard your changes?"
            text="What you changed in your profile is not saved yet."
            confirmLabel="Discard"
            cancelLabel="Keep editing"
            onConfirm={leave}
            onClose={() => setAsking(false)}
          />
        )}
      </div>
    </div>
  );
}
