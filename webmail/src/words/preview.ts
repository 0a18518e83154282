import { words } from '../lib/i18n.ts';

/** A file of a message that is looked at. */
export const previewWords = words('preview', {
  loading: 'Loading the file',
  close: 'Close',
  save: 'Save',
  stillLoading: 'The file is still loading.',
  noPicture: 'This file is no picture that can be shown. Save it to open it elsewhere.',
  cut: 'This is the beginning of the file. Save it to see all of it.',
});
