import { params, words } from '../lib/i18n.ts';

/** The senders whose pictures are always shown. */
export const pictureWords = words('pictures', {
  title: 'Pictures in mail',
  hint: 'Remote pictures are always shown in mail from these senders, if the mail is verified to come from them.',
  none: 'You are asked each time. Choose “Always show” in a message to see a sender’s pictures from then on.',
  noneOnly: 'You are asked each time.',
  since: params('Since {time}'),
  remove: 'Remove',
  removing: 'Removing',
  removeNamed: params('No longer always show pictures of {address}'),
});
