import { networkOf } from '@selvage/core/access/network-of';
import * as contracts from '@selvage/core/contracts/auth';
import { type ApiRouter, route } from '../http/route.ts';
import { createCaptcha, speakCaptcha } from './captcha.ts';
import { askSecondFactor, finishLogin } from './finish-login.ts';
import { checkCredentials } from './login.ts';
import { readLoginStep } from './login-step.ts';
import { countAttempt, rules } from './throttle.ts';

/** Binds the first step of logging in. */
export function bindLogin(router: ApiRouter): void {
  route(
    router,
    contracts.getCaptcha,
    async (ctx) => {
      const { svg, token } = await createCaptcha(ctx.app);
      return { success: true, svg, captcha_token: token };
    },
    { before: (ctx) => countAttempt(ctx.app, rules.captcha, networkOf(ctx.address)) },
  );
  route(
    router,
    contracts.getCaptchaSound,
    async (ctx, { query }) => {
      const wav = await speakCaptcha(ctx.app, query.captcha_token);
      return { success: true, wav: wav.toString('base64') };
    },
    { before: (ctx) => countAttempt(ctx.app, rules.captchaSound, networkOf(ctx.address)) },
  );
  route(router, contracts.login, async (ctx, { body, koa }) => {
    const begun = await readLoginStep(ctx.app, koa);
    const { user, step } = await checkCredentials(ctx, {
      email: body.email,
      password: body.password,
      captcha: { token: body.captcha_token, text: body.captcha_text },
      begun,
    });
    const signIn = { koa, user, step };
    if (!user.twoFactorStatus) return await finishLogin(ctx, signIn, null);
    // True only for the person whose second factor was right in this browser minutes ago and who
    // then met the session limit
    if (step?.isProven) return await finishLogin(ctx, signIn, 'proven');
    return await askSecondFactor(ctx, signIn);
  });
}
