/** The scopes of section 5, ascending, as columns of its table. */
export const SCOPES = ['guest', 'agent', 'bot', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** `+` allowed, `-` not: Guest, Agent, Bot, Admin. */
type Columns = `${'+' | '-'}${'+' | '-'}${'+' | '-'}${'+' | '-'}`

/** The table of section 5 as it stands there, a line an operation. */
const TABLE = {
  'list organizations': '--++',
  'list organization groups': '--++',
  'list users': '--++',
  'list messages': '--++',
  'list forms': '--++',
  'list conversations': '-+++',
  'list contacts': '-+++',
  'list knowledge items': '-+++',
  'list services': '---+',
  'fetch organization': '--++',
  'fetch organizationGroup': '--++',
  'fetch message': '--++',
  'fetch contact': '--++',
  'fetch user details (self)': '++++',
  'fetch user details (other)': '--++',
  'fetch conversation details': '++++',
  'fetch knowledge item': '-+++',
  'fetch form': '---+',
  'fetch service': '---+',
  'create organization': '---+',
  'create organizationGroup': '---+',
  'create user': '---+',
  'create service': '---+',
  'create conversation': '-+++',
  'create message': '++++',
  'create contact': '--++',
  'create form': '--++',
  'create knowledge item': '-+++',
  'update organization': '---+',
  'update organizationGroups': '---+',
  'update user details (other)': '---+',
  'update conversation': '---+',
  'update service': '---+',
  'update user details (self)': '++++',
  'update message': '--++',
  'update contact': '--++',
  'update form': '--++',
  'update knowledge item': '-+++',
  'delete knowledge item': '--++',
  'delete other resource': '---+',
} as const satisfies Record<string, Columns>

/** Fields that the table does not name, as this product decided it (docs/decisions). */
const BESIDE = {
  'see erasures': '---+',
  'erase contacts': '---+',
  'export contacts': '---+',
  'hold contacts and conversations': '---+',
  'keep terms of retention': '---+',
  'decide as a second administrator': '---+',
  'see the audit log': '---+',
  // The installation's operator alone, whom no scope includes.
  'manage contact centers': '----',
  'read channels': '-+++',
  'write channels': '---+',
  'read workflows': '--++',
  'write and try workflows': '---+',
  'read files and locations': '-+++',
  'write files and locations': '--++',
  'read canned responses': '-+++',
  'list templates': '-+++',
  'write canned responses': '---+',
  'read notes of contacts': '-+++',
  'note about contacts': '-+++',
  // Their own is every agent's: test/timeline.
  "change others' notes": '---+',
  'follow contacts': '-+++',
  'read labels': '-+++',
  'write labels': '---+',
  'read macros': '-+++',
  'make own macros': '-+++',
  // Agents who supervise a channel of the organization besides: test/macros.
  'share macros': '---+',
  'read views': '-+++',
  'save own views': '-+++',
  // Agents who supervise a channel of the organization besides: test/views.
  'share views': '---+',
  'list ratings': '-+++',
  'read ratings': '++++',
  'rate a case, as a consumer': '++++',
  'mail a copy to the consumer': '++++',
  'put labels on conversations': '-+++',
  'set own availability': '-+++',
  'answer offers': '-+++',
  'see who takes conversations': '-+++',
  "set others' availability and capacity": '---+',
  'read and write reason codes': '---+',
  'read and write skills': '---+',
  'read schedules and SLA policies': '-+++',
  'write schedules and SLA policies': '---+',
  'apply SLA policies again': '--++',
  'keep own drafts': '-+++',
  'be notified in own browsers': '-+++',
  'upload attachments': '++++',
  'read attachments': '-+++',
  'update attachment': '--++',
  'give a command (4.8)': '-+++',
  'enqueue (3.1)': '--++',
  'take events': '--++',
  'read events': '---+',
  'send on behalf of others': '--++',
  // Open points, role `contact`: agents create messages, these too.
  'speak as the consumer': '-+++',
  'tell of typing': '++++',
  'mark as read': '++++',
  'send a delivery again': '-+++',
  // A person is to answer for what leaves the conversation.
  'forward a message': '-+-+',
  'measure an SMS': '-+++',
  'say who one is, as a consumer': '++++',
  'open a link as oneself': '-+++',
  // Agents who supervise channels besides, those of these channels: test/reports.
  'read reports': '---+',
  'read own reports': '-+++',
  search: '-+++',
  'search messages': '--++',
  'watch a conversation': '++++',
  'watch queues and the inbox': '-+++',
  'make guest tokens': '--++',
  'end sign-ins': '++++',
  'keep own second factor': '++++',
  'keep own identities': '++++',
  'keep domains': '---+',
  'keep the sign-in policy': '---+',
  'keep the routing as a document': '---+',
} as const satisfies Record<string, Columns>

export type Line = keyof typeof TABLE | keyof typeof BESIDE

export const isInTable = (line: Line): boolean => line in TABLE

export function allows(line: Line, scope: Scope): boolean {
  const columns: Columns = { ...TABLE, ...BESIDE }[line]
  return columns[SCOPES.indexOf(scope)] === '+'
}
