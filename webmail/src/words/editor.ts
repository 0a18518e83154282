import { words } from '../lib/i18n.ts';

/** The editor of messages and signatures. */
export const editorWords = words('editor', {
  toolbar: 'Text format',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  bulletedList: 'Bulleted list',
  numberedList: 'Numbered list',
  quote: 'Quote',
  clearFormatting: 'Clear formatting',
  insertLink: 'Insert link',
  linkAddress: 'Address of the link',
  linkExample: 'https://',
  linkRequired: 'Please enter the address of the link',
  insert: 'Insert',
  inserting: 'Inserting',
  insertPicture: 'Insert picture',
  pictureFile: 'Picture to insert',
});
