import { words } from '../lib/i18n.ts';

/** The picture of letters to copy. */
export const captchaWords = words('captcha', {
  picture: 'Letters to copy into the field below',
  loading: 'Loading the picture',
  renew: 'New picture',
  letters: 'Letters in the picture',
  play: 'Play the letters',
});
