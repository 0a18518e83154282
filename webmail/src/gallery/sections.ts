import type { ComponentType } from 'react';
import { Buttons } from './sections/buttons.tsx';
import { Colours } from './sections/colours.tsx';
import * as dialogs from './sections/dialogs.tsx';
import { EditorSection } from './sections/editor.tsx';
import { Fields } from './sections/fields.tsx';
import * as lists from './sections/lists.tsx';
import { Messages } from './sections/messages.tsx';
import { Navigation } from './sections/navigation.tsx';
import { Pages } from './sections/pages.tsx';
import { Pieces } from './sections/pieces.tsx';
import { Places } from './sections/places.tsx';
import { OpenRowMenu } from './sections/row-menu.tsx';
import { LargeTable, Tables } from './sections/tables.tsx';
import { ToastSection } from './sections/toasts.tsx';
import { Typography } from './sections/typography.tsx';

interface GallerySection {
  title: string;
  Show: ComponentType;
}

/**
 * The sections of the gallery, by the name in the address. A dialog has a page to itself, since
 * nothing beside an open dialog can be reached.
 */
export const sections = {
  typography: { title: 'Type', Show: Typography },
  colours: { title: 'Colours and densities', Show: Colours },
  buttons: { title: 'Buttons', Show: Buttons },
  fields: { title: 'Fields', Show: Fields },
  messages: { title: 'Messages', Show: Messages },
  pieces: { title: 'Small pieces', Show: Pieces },
  editor: { title: 'Editor', Show: EditorSection },
  tables: { title: 'Tables', Show: Tables },
  'large-table': { title: 'A large table', Show: LargeTable },
  'row-menu': { title: 'The menu of a row', Show: OpenRowMenu },
  screen: { title: 'A whole screen', Show: lists.WholeScreen },
  lists: { title: 'Lists', Show: lists.Lists },
  'list-selection': { title: 'A list with ticked rows', Show: lists.ListSelection },
  'list-places': { title: 'Lists without rows', Show: lists.ListPlaces },
  pages: { title: 'Pages', Show: Pages },
  places: { title: 'In place of a page', Show: Places },
  navigation: { title: 'Navigation', Show: Navigation },
  'dialog-confirm': { title: 'Dialog: a question', Show: dialogs.Confirm },
  'dialog-danger': { title: 'Dialog: a dangerous question', Show: dialogs.ConfirmDanger },
  'dialog-word': { title: 'Dialog: a word to type', Show: dialogs.ConfirmWord },
  'dialog-busy': { title: 'Dialog: at work', Show: dialogs.ConfirmBusy },
  'dialog-failed': { title: 'Dialog: failed', Show: dialogs.ConfirmFailed },
  'dialog-info': { title: 'Dialog: something to know', Show: dialogs.Info },
  'dialog-form': { title: 'Dialog: a form', Show: dialogs.FormAtRest },
  'dialog-form-busy': { title: 'Dialog: a form, sent', Show: dialogs.FormBusy },
  'dialog-form-problems': { title: 'Dialog: a form with problems', Show: dialogs.FormProblems },
  'dialog-form-failed': { title: 'Dialog: a form that failed', Show: dialogs.FormFailed },
  'dialog-form-conflict': { title: 'Dialog: a form in conflict', Show: dialogs.FormConflicted },
  'dialog-long': { title: 'Dialog: too long for the screen', Show: dialogs.Long },
  'dialog-discard': { title: 'Dialog: discard', Show: dialogs.Discard },
  // Last, since toasts stay when another section is shown
  toasts: { title: 'Toasts', Show: ToastSection },
} as const satisfies Record<string, GallerySection>;
export type SectionName = keyof typeof sections;
