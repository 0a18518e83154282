import type { Config } from '@selvage/core/process/config';

type Host = Pick<Config, 'hostname' | 'url' | 'publicSubmissionPort' | 'publicSubmissionsPort'>;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/**
 * The settings by which Thunderbird and others set up a mailbox (autoconfig 1.1): the servers
 * through which to send mail, and the webmail. It names no server for fetching mail, since this
 * host has none. The answer is the same for all addresses of a domain, whether they exist or not.
 */
export function autoconfigXml({ hostname, url, ...ports }: Host, domain: string): string {
  const server = (port: number, socketType: 'SSL' | 'STARTTLS') => [
    '    <outgoingServer type="smtp">',
    `      <hostname>${escapeXml(hostname)}</hostname>`,
    `      <port>${port}</port>`,
    `      <socketType>${socketType}</socketType>`,
    '      <authentication>password-cleartext</authentication>',
    '      <username>%EMAILADDRESS%</username>',
    '    </outgoingServer>',
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<clientConfig version="1.1">',
    `  <emailProvider id="${escapeXml(domain)}">`,
    `    <domain>${escapeXml(domain)}</domain>`,
    `    <displayName>${escapeXml(domain)}</displayName>`,
    `    <displayShortName>${escapeXml(domain)}</displayShortName>`,
    ...server(ports.publicSubmissionsPort, 'SSL'),
    ...server(ports.publicSubmissionPort, 'STARTTLS'),
    '  </emailProvider>',
    '  <webMail>',
    `    <loginPage url="${escapeXml(url)}/"/>`,
    '  </webMail>',
    '</clientConfig>',
    '',
  ].join('\n');
}

const responseSpace = 'http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006';
const outlookSpace = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a';

/** The settings for Outlook (MS-OXDSCLI). The user name is the address that Outlook sent. */
export function autodiscoverXml({ hostname, ...ports }: Host, address: string): string {
  const server = (port: number, encryption: 'SSL' | 'TLS') => [
    '      <Protocol>',
    '        <Type>SMTP</Type>',
    `        <Server>${escapeXml(hostname)}</Server>`,
    `        <Port>${port}</Port>`,
    '        <DomainRequired>off</DomainRequired>',
    `        <LoginName>${escapeXml(address)}</LoginName>`,
    '        <SPA>off</SPA>',
    `        <Encryption>${encryption}</Encryption>`,
    '        <AuthRequired>on</AuthRequired>',
    '        <UsePOPAuth>off</UsePOPAuth>',
    '        <SMTPLast>off</SMTPLast>',
    '      </Protocol>',
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Autodiscover xmlns="${responseSpace}">`,
    `  <Response xmlns="${outlookSpace}">`,
    '    <User>',
    `      <DisplayName>${escapeXml(address)}</DisplayName>`,
    '    </User>',
    '    <Account>',
    '      <AccountType>email</AccountType>',
    '      <Action>settings</Action>',
    ...server(ports.publicSubmissionsPort, 'SSL'),
    ...server(ports.publicSubmissionPort, 'TLS'),
    '    </Account>',
    '  </Response>',
    '</Autodiscover>',
    '',
  ].join('\n');
}

const addressElement = /<EMailAddress>\s{0,100}([^<>\s]{3,400})\s{0,100}<\/EMailAddress>/i;

/**
 * The address in Outlook's request, with the five predefined entities of XML decoded; null when
 * there is none. The rest is not parsed, and no other entity is expanded.
 */
export function addressInRequest(body: string): string | null {
  const written = addressElement.exec(body)?.[1];
  if (written === undefined) return null;
  return written.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (entity) => signs.get(entity) ?? entity);
}

const signs = new Map(Object.entries(entities).map(([sign, entity]) => [entity, sign]));
