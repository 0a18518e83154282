import { getCaptchaSound } from '@selvage/core/contracts/auth';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';

let playing: AudioBufferSourceNode | undefined;

/** Plays the letters of a captcha, from the beginning where they are being played. */
export async function playLetters(token: string): Promise<void> {
  try {
    const { wav } = await api(getCaptchaSound, { query: { captcha_token: token } });
    const context = new AudioContext();
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(Uint8Array.from(atob(wav), (one) => one.charCodeAt(0)).buffer);
    source.connect(context.destination);
    source.addEventListener('ended', () => void context.close());
    playing?.stop();
    playing = source;
    source.start();
  } catch (error) {
    notify.error(error);
  }
}
