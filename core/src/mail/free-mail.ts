/** Domains at which any person can get an address. */
export const freeMail: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com
  icloud.com me.com mac.com proton.me protonmail.com gmx.com gmx.net gmx.de web.de mail.com mail.ru
  yandex.com yandex.ru zoho.com tutanota.com rediffmail.com qq.com 163.com
`
    .trim()
    .split(/\s+/),
);
