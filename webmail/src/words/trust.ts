import { params, words } from '../lib/i18n.ts';

/** What speaks against a message, by the codes of the server. */
export const trustWords = words('trust', {
  not_from_sender: params(
    'This message says that it is from {claimed}, but the check that tells real mail of {claimed} has failed.',
  ),
  similar_domain: params('{actual} only looks like {claimed}, your company’s domain.'),
  similar_correspondent: params('{actual} is not {claimed}, a domain that you have written to. It only looks like it.'),
  name_of_address: params('The sender goes by the name {claimed}, but writes from {actual}.'),
  name_of_colleague: params('{claimed} is the name of a colleague, but {actual} is not their address here.'),
  name_of_correspondent: params('You know the person of this name at {claimed}, but this message comes from {actual}.'),
  name_without_address: params('This message goes by the name {claimed}, but gives no address of its sender.'),
  reply_elsewhere: params('This message says that it is from {claimed}, but an answer would go to {actual}.'),
  link_elsewhere: params('A link in this message reads {claimed}, but leads to {actual}.'),
  careful: 'Be careful with its links, files and requests.',
});
