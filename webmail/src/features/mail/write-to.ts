import { notify } from '../../components/feedback/notify.ts';

/** Opens the message that a `mailto:` link asks for. Its code is fetched when it is wanted. */
export const writeTo = (href: string): Promise<void> =>
  import('./mailto.ts').then((m) => m.writeTo(href), notify.error);
