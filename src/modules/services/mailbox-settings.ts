import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

const SECRET = { nullable: true, description: 'Secret: reads return `********`.' } as const

const MailboxAccessEnum = graphqlEnum('MailboxAccess', "Owner of a mailbox's servers.", {
  IMAP: ['imap', 'Any: `host` names them.'],
  GOOGLE: ['google', "Gmail and Google Workspace; what is sent is filed by Google's own servers."],
  MICROSOFT: ['microsoft', "Microsoft 365; what is sent is filed by Microsoft's own servers."],
})

const MailboxSecurityEnum = graphqlEnum('MailboxSecurity', 'Protection of the connection to the server of a mailbox.', {
  TLS: ['tls', 'From its first byte, usually at port 993.'],
  STARTTLS: ['starttls', 'Before the sign-in, usually at port 143.'],
  NONE: ['none', 'Not at all: to this machine alone, and where the operator allows private addresses.'],
})

const UnprovedMailEnum = graphqlEnum('UnprovedMail', 'Treatment of mail whose sender nothing proves.', {
  SHOW: ['show', 'Agents see that somebody else may have written it.'],
  CONVERSATION: ['conversation', 'Likewise, and it joins no conversation but one that such mail began.'],
  REFUSE: ['refuse', 'No message is made of it.'],
})

@InputType('MailboxSettingsInput', { description: 'Settings of a service of type `mailbox`.' })
@ObjectType('MailboxSettings', {
  simpleResolvers: true,
  description:
    'Settings of a service of type `mailbox`: email that is fetched by IMAP, and sent by SMTP of the same account.',
})
export class MailboxSettings {
  @Field(() => String, {
    nullable: true,
    description: 'Address that consumers write to, and sender of mails; of one service only.',
  })
  address?: string | null

  @Field(() => String, { nullable: true, description: "Sender's name." })
  fromName?: string | null

  @Field(() => MailboxAccessEnum, { nullable: true, description: 'IMAP if absent.' })
  access?: string | null

  @Field(() => String, { nullable: true, description: 'Name of the IMAP server.' })
  host?: string | null

  @Field(() => Int, { nullable: true, description: '993 if absent, 143 for STARTTLS.' })
  port?: number | null

  @Field(() => MailboxSecurityEnum, { nullable: true, description: 'TLS if absent, STARTTLS at port 143.' })
  security?: string | null

  @Field(() => String, { nullable: true, description: "The account's name at the servers." })
  user?: string | null

  @Field(() => String, SECRET)
  password?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Address that gives access tokens (OAuth 2.0), in place of a password; a provider's own if absent.",
  })
  tokenUrl?: string | null

  @Field(() => String, { nullable: true, description: 'Id of the application at the token server.' })
  clientId?: string | null

  @Field(() => String, SECRET)
  clientSecret?: string | null

  @Field(() => String, {
    nullable: true,
    description: "The account's grant; without it, the application's own. Secret: reads return `********`.",
  })
  refreshToken?: string | null

  @Field(() => String, { nullable: true, description: 'Scopes of the tokens, separated by spaces.' })
  scope?: string | null

  @Field(() => [String], { nullable: true, description: 'Folders that are read, at most 20; `INBOX` if absent.' })
  folders?: string[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'Mail that arrived before is not read: a date (ISO 8601) of the last 90 days; the time of the first write if absent.',
  })
  since?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Folder in which what is sent is filed; the one that the server names if absent.',
  })
  sentFolder?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Name of the SMTP server; if absent, `host` with `smtp.` in place of `imap.`.',
  })
  smtpHost?: string | null

  @Field(() => Int, { nullable: true, description: '587 if absent; 465 is TLS from the first byte.' })
  smtpPort?: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Name of the mail server whose `Authentication-Results` are believed.',
  })
  authservId?: string | null

  @Field(() => UnprovedMailEnum, { nullable: true, description: 'SHOW if absent.' })
  unprovedMail?: string | null
}
