import { lazyExtra } from '../../components/lazy-extra.tsx';

/** The parts that stay while pages change, such as the messages that are being written. */
export const mailHost = lazyExtra(() => import('./MailHost.tsx'));
