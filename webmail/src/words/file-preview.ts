import { params, words } from '../lib/i18n.ts';

/** A file of a message that is looked at. */
export const previewWords = words('preview', {
  loading: 'Loading the file',
  close: 'Close',
  save: 'Save',
  stillLoading: 'The file is still loading.',
  noPicture: 'This file is not a picture that can be shown. Save it to open it elsewhere.',
  pdfLocked: 'This file is locked with a password. Save it to open it elsewhere.',
  pdfBroken: 'This file is damaged or is not a PDF. Save it to try to open it elsewhere.',
  pdfPage: params('Page {number} of {total}'),
  pdfPageBroken: 'This page can’t be shown. Save the file to open it elsewhere.',
  pdfCut: params('These are the first {count} of {total} pages. Save the file to see all of it.'),
  cut: 'This is the beginning of the file. Save it to see all of it.',
});
