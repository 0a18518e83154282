import { params, words } from '../lib/i18n.ts';

/** The setting for how long a sent message can be taken back. */
export const undoSettingWords = words('undo-setting', {
  title: 'Undo sending',
  hint: 'A message leaves when this time is over. Until then you can take it back.',
  field: 'Time to undo',
  seconds: params('{seconds} seconds'),
  saved: 'Time to undo saved',
});
