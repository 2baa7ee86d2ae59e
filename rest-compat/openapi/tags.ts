/** Groups of operations, in the order of the document, with what each is about. */
export const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'Signing in, and exchanging refresh tokens.',
  Users: 'Agents, administrators, viewers and bots.',
  Organizations: 'Contact centers, their customers, and the customers of those: a tree of at most three levels.',
  'Organization groups': 'Named sets of organizations.',
  Channels: 'Queues of agents, with their members.',
  Workflows: 'Rules that route conversations and act on messages.',
  Conversations: 'Conversations with their participants and messages.',
  Messages: 'Messages and commands, across conversations.',
  Contacts: 'Records of consumers.',
  Services: 'Integrations: webhooks, and accounts of email, SMS and messengers.',
  Forms: 'Forms that agents and bots fill in.',
  Articles: 'Texts of the knowledge base.',
  Files: 'Files of the knowledge base.',
  Locations: 'Branches, with address and opening hours.',
  Attachments: 'Images and documents of messages.',
}
