/** Words by which a name or a domain claims to be an office of a company. */
export const trustWords: ReadonlySet<string> = new Set(
  `
  account accounting accounts admin alert alerts bank billing business care center client company
  contact corp corporate customer docs email finance global group help helpdesk hr inc intl
  invoice invoices invoicing login ltd mail mailer notification notifications office official
  online order orders pay payment payments payroll portal purchasing sales secure security service
  services shipping shop signin sso store support team update verify web
`
    .trim()
    .split(/\s+/),
);
