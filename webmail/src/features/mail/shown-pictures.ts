import type { EmailDto } from '@selvage/core/contracts/email';
import { addImageSender } from '@selvage/core/contracts/image-senders';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { atom } from 'nanostores';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { mailKeys } from './keys.ts';

type Framed = Pick<EmailDto, '_id' | 'images_path' | 'always_shows_images'>;

/** The messages whose remote pictures the person has asked for since this page was loaded. */
const asked = atom<ReadonlySet<string>>(new Set());

/** Where the message's remote pictures are fetched; null while they are held back. */
export function imagesPathOf(message: Framed): string | null {
  return message.always_shows_images || asked.get().has(message._id) ? message.images_path : null;
}

/** The same for a screen, with functions that show the pictures once, or always. */
export function usePictures(message: Framed & Pick<EmailDto, 'sender_email'>) {
  const client = useQueryClient();
  useStore(asked);
  const show = (): void => asked.set(new Set([...asked.get(), message._id]));
  const always = useMutation({
    mutationFn: () => api(addImageSender, { body: { email_id: message._id } }),
    onMutate: show,
    onSuccess: () => {
      notify.success(wordsOf(readingWords).alwaysShown({ address: message.sender_email }));
      return client.invalidateQueries({ queryKey: mailKeys.details });
    },
    onError: notify.error,
  });
  return { imagesPath: imagesPathOf(message), show, showAlways: () => always.mutate() };
}
