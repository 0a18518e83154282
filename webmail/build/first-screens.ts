/** A screen of a first visit. */
interface FirstScreen {
  /** The module that the screen begins with. */
  first: string;
  /** Whether it is for logged-in people. */
  isSignedIn: boolean;
  /** A regular expression, as text, for the paths at which a visit begins with this screen. */
  at: string;
}

const FOLDERS = '/dashboard/(inbox|snoozed|starred|sent|archive|junk|trash)';

/**
 * The screens of a first visit. Other screens of logged-out people (mailed links) are too rare to
 * be preloaded.
 */
export const firstScreens: Record<string, FirstScreen> = {
  login: {
    first: '/src/features/auth/SignInPage.tsx',
    isSignedIn: false,
    at: '^(?!/auth/(forgot-password|set-password|confirm-recovery|confirm-forwarding))',
  },
  shell: { first: '/src/app/shell/Shell.tsx', isSignedIn: true, at: '^/(dashboard|auth/sign-in|start|$)' },
  list: { first: '/src/features/mail/FolderPage.tsx', isSignedIn: true, at: `^(${FOLDERS}|/auth/sign-in|/start|)/?$` },
  reading: { first: '/src/features/mail/DetailPage.tsx', isSignedIn: true, at: `^${FOLDERS}/[^/]+/?$` },
};
