import { Forbidden } from '../errors.js'
import { BotMasked } from '../masking/bot-masked.js'
import { hidesContacts, maskOf, type Caller } from './caller.js'
import { OPERATOR, type Scope } from './scopes.js'

/** The table of section 5: each operation with the lowest scope that may do it. Scopes cascade. */
export const PERMISSIONS = {
  'organization.list': 'bot',
  'organizationGroup.list': 'bot',
  'user.list': 'bot',
  'message.list': 'bot',
  'form.list': 'bot',
  'conversation.list': 'agent',
  'contact.list': 'agent',
  'article.list': 'agent',
  'service.list': 'admin',
  'template.list': 'agent',

  'organization.fetch': 'bot',
  'organizationGroup.fetch': 'bot',
  'message.fetch': 'bot',
  'contact.fetch': 'bot',
  'user.fetchSelf': 'guest',
  'user.fetch': 'bot',
  'conversation.fetch': 'guest',
  'article.fetch': 'agent',
  'form.fetch': 'admin',
  'service.fetch': 'admin',

  'organization.create': 'admin',
  'organizationGroup.create': 'admin',
  'user.create': 'admin',
  'service.create': 'admin',
  'conversation.create': 'agent',
  'message.create': 'guest',
  'contact.create': 'bot',
  'form.create': 'bot',
  'article.create': 'agent',

  'organization.update': 'admin',
  'organizationGroup.update': 'admin',
  'user.update': 'admin',
  'conversation.update': 'admin',
  'service.update': 'admin',
  'user.updateSelf': 'guest',
  'message.update': 'bot',
  'contact.update': 'bot',
  'form.update': 'bot',
  'article.update': 'agent',

  'article.delete': 'bot',
  'organization.delete': 'admin',
  'organizationGroup.delete': 'admin',
  'user.delete': 'admin',
  'service.delete': 'admin',
  'conversation.delete': 'admin',
  'message.delete': 'admin',
  'contact.delete': 'admin',
  'contact.export': 'admin',
  'contactExport.list': 'admin',
  'contactExport.fetch': 'admin',
  'erasure.list': 'admin',
  'erasure.fetch': 'admin',
  // What must not be lost, and what was edited or deleted meanwhile, each reading of which is audited.
  // Changes that need two administrators.
  'fourEyes.fetch': 'admin',
  'fourEyes.update': 'admin',
  'pendingChange.list': 'admin',
  'pendingChange.fetch': 'admin',
  'pendingChange.decide': 'admin',
  'hold.list': 'admin',
  'hold.fetch': 'admin',
  'hold.create': 'admin',
  'hold.update': 'admin',
  'hold.release': 'admin',
  'heldMessage.list': 'admin',
  'retentionPolicy.list': 'admin',
  'retentionPolicy.fetch': 'admin',
  'retentionPolicy.create': 'admin',
  'retentionPolicy.update': 'admin',
  'retentionPolicy.delete': 'admin',
  'retentionRun.list': 'admin',
  'retentionRun.fetch': 'admin',
  'form.delete': 'admin',

  // Channels and workflows are not in the table. Agents need to know the channels they can subscribe to; everything
  // else is for administrators, as for an organization's other resources.
  'channel.list': 'agent',
  'channel.fetch': 'agent',
  'channel.create': 'admin',
  'channel.update': 'admin',
  'channel.delete': 'admin',
  'workflow.list': 'bot',
  'workflow.fetch': 'bot',
  'workflow.create': 'admin',
  'workflow.update': 'admin',
  'workflow.delete': 'admin',
  'workflow.test': 'admin',
  'workflow.history': 'admin',
  // Files and locations are not in the table either. Agents read them like knowledge items; automations synchronize
  // them with other systems, like contacts and forms; only administrators delete them, like any other resource.
  'file.list': 'agent',
  'file.fetch': 'agent',
  'file.create': 'bot',
  'file.update': 'bot',
  'file.delete': 'admin',
  // Agents insert them; what all of them say is set up by an administrator.
  'cannedResponse.list': 'agent',
  'cannedResponse.fetch': 'agent',
  'cannedResponse.create': 'admin',
  'cannedResponse.update': 'admin',
  'cannedResponse.delete': 'admin',
  // Agents note what they learn about a contact that they see. Another's note is changed by administrators alone.
  'contactNote.list': 'agent',
  'contactNote.fetch': 'agent',
  'contactNote.create': 'agent',
  'contactNote.update': 'agent',
  'contactNote.delete': 'agent',
  'contactNote.ofOthers': 'admin',
  'timeline.fetch': 'agent',
  'contact.watch': 'agent',
  // Agents put them on conversations; which there are is set up by an administrator.
  'label.list': 'agent',
  'label.fetch': 'agent',
  'label.create': 'admin',
  'label.update': 'admin',
  'label.archive': 'admin',
  'conversation.label': 'agent',
  // Agents make their own; those that all run are set up by administrators, and by whoever supervises a channel: see
  // channels/require-may-share.ts.
  'macro.list': 'agent',
  'macro.fetch': 'agent',
  'macro.create': 'agent',
  'macro.update': 'agent',
  'macro.archive': 'agent',
  'macro.share': 'admin',
  'macro.run': 'agent',
  // As macros are.
  'view.list': 'agent',
  'view.fetch': 'agent',
  'view.save': 'agent',
  'view.delete': 'agent',
  'view.share': 'admin',
  // And what each act needs by itself, when its turn comes: see conversations/bulk/run-item.ts.
  'conversation.bulk': 'agent',
  'location.list': 'agent',
  'location.fetch': 'agent',
  'location.create': 'bot',
  'location.update': 'bot',
  'location.delete': 'admin',
  // Consumers send images as agents do (2.9), so everyone who may send a message may upload; signed links give access
  // without a scope. Only agents may list an organization's uploads.
  'attachment.create': 'guest',
  'attachment.list': 'agent',
  'attachment.fetch': 'agent',
  'attachment.update': 'bot',
  'attachment.delete': 'admin',
  // Agents say whether they take conversations, and see who else does; how much and what they can take is set up by
  // administrators.
  'availability.updateSelf': 'agent',
  'offer.answer': 'agent',
  'staff.list': 'agent',
  'staff.update': 'admin',
  'reasonCode.list': 'admin',
  'reasonCode.fetch': 'admin',
  'reasonCode.create': 'admin',
  'reasonCode.update': 'admin',
  'reasonCode.delete': 'admin',
  'skill.list': 'admin',
  'skill.fetch': 'admin',
  'skill.create': 'admin',
  'skill.update': 'admin',
  'skill.delete': 'admin',
  // Agents see how the hours and targets are that they are measured by.
  'holidayCalendar.list': 'agent',
  'holidayCalendar.fetch': 'agent',
  'holidayCalendar.create': 'admin',
  'holidayCalendar.update': 'admin',
  'holidayCalendar.delete': 'admin',
  'schedule.list': 'agent',
  'schedule.fetch': 'agent',
  'schedule.create': 'admin',
  'schedule.update': 'admin',
  'schedule.delete': 'admin',
  'slaPolicy.list': 'agent',
  'slaPolicy.fetch': 'agent',
  'slaPolicy.create': 'admin',
  'slaPolicy.update': 'admin',
  'slaPolicy.delete': 'admin',
  // And what each change needs by itself: see routing-code/perform-changes.ts.
  'routing.fetch': 'admin',
  'routing.plan': 'admin',
  'routing.apply': 'admin',
  'clock.list': 'agent',
  'sla.reapply': 'bot',
  // For administrators, and agents who supervise channels: see reports/report-scope.ts.
  'report.read': 'agent',
  'report.readOwn': 'agent',
  'wallboard.watch': 'agent',
  // Lists that administrators keep open follow it.
  'record.watch': 'admin',
  // Agents read what consumers thought of their cases; a consumer sees and gives those of its own conversation.
  'rating.list': 'agent',
  'rating.fetch': 'guest',
  'survey.answer': 'guest',
  // An agent mails a copy to the contact, a consumer to itself.
  'transcript.send': 'guest',
  // For contact centers: see sharing/tags.ts.
  'tag.update': 'admin',
  // Who did what: for administrators, of their organization and those below.
  'audit.list': 'admin',
  // Commands are messages (4.8); these permissions are for those that only agents may use.
  'conversation.command': 'agent',
  // One's own; another's needs `message.delete`.
  'message.cancel': 'agent',
  'message.createForOthers': 'bot',
  // Form fields that are tied to the contact's profile (2.12); values from other callers are unverified.
  'contact.fill': 'agent',
  // Form messages of agents ask the consumer (2.12); whoever else could name a form would learn which ones there are.
  'form.ask': 'agent',
  // A guest's read mark determines the status of its deliveries.
  'conversation.markRead': 'guest',
  // Everyone who may send a message may send it again.
  'delivery.retry': 'agent',
  // By people alone: see conversations/sending/forward-message.ts.
  'message.forward': 'agent',
  'conversation.type': 'guest',
  // Its author, agents, and the guest to whom it is shown.
  'stream.stop': 'guest',
  'person.ask': 'guest',
  // A user's own, of conversations that it sees.
  'conversation.draft': 'agent',
  // A user's own browsers.
  'push.subscribe': 'agent',
  'conversation.enqueue': 'bot',
  // Of one service: whoever may change it, and its bot, see webhooks/taking/take-rights.ts.
  'event.take': 'bot',
  // Everything that happens in the organization and below: for whoever may register a webhook for it.
  'event.read': 'admin',
  // One bot: administrators, and supervisors, see users/pause-bots.ts.
  'bot.pause': 'agent',
  'bot.pauseAll': 'admin',
  // What a bot may do in conversations: see bots/.
  'bot.govern': 'admin',
  // By bots, and by people who may do what they decide on.
  'proposal.fetch': 'agent',
  'proposal.make': 'agent',
  'proposal.decide': 'agent',
  'proposal.request': 'agent',
  // 4.7, rule 7: opens a link with the agent's identity.
  'action.open': 'agent',
  'sms.measure': 'agent',
  // The ways to a contact tell what is known of it.
  'route.list': 'agent',
  // Also needs the list permission of each type that is searched.
  search: 'agent',
  // And of the type of the record, its fetch.
  'node.fetch': 'guest',
  'conversation.watch': 'guest',
  'routingTrace.fetch': 'agent',
  'queue.watch': 'agent',
  'inbox.watch': 'agent',
  'guestToken.create': 'bot',
  'guest.identify': 'guest',
  'token.revoke': 'guest',
  // One's own second factor: whoever signs in by a password may have one.
  'factor.updateSelf': 'guest',
  // One's own identities at providers, as one's own sessions.
  'identity.updateSelf': 'guest',
  // The domains that prove whose emails are an organization's.
  'domain.list': 'admin',
  'domain.fetch': 'admin',
  'domain.create': 'admin',
  'domain.update': 'admin',
  'domain.delete': 'admin',
  // The rules by which an organization's users sign in.
  'signInPolicy.fetch': 'admin',
  'signInPolicy.update': 'admin',
  // Of the installation, not of a contact center.
  'contactCenter.list': OPERATOR,
  'contactCenter.fetch': OPERATOR,
  'contactCenter.create': OPERATOR,
  'contactCenter.update': OPERATOR,
  'contactCenter.archive': OPERATOR,
} as const satisfies Readonly<Record<string, Scope | typeof OPERATOR>>

/** Fields of the schema that need no credentials because they give them. */
export const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  'createPasskeyChallenge',
  'createToken',
  'refreshToken',
  'acceptInvitation',
  'requestPasswordReset',
  'enrolAtSignIn',
  'signInByPasskey',
  'signInMethods',
  'resetPassword',
  'startGuestSession',
])

export type Permission = keyof typeof PERMISSIONS

export function isAllowed(caller: Caller, operation: Permission): boolean {
  return caller.scopes.has(PERMISSIONS[operation]) && !isHidden(caller, operation) && !isUnmasking(caller, operation)
}

/** Operations that tell of a contact, also by the answer of what changes it; whoever has a guest's token reads its contact. */
const OF_CONTACTS = /^(?:contact\.(?!fill$)|contactNote\.|timeline\.|guestToken\.|route\.)/

/** The reason for which a bot with a mask gets no guest's token. */
export const GUESTS_READ_ALL = "a guest's token would show what is masked for the bot"
/** Operations by which a bot would read what is masked for it: as a guest, or mailed to an address that it has given a contact. */
const UNMASKING = /^(?:guestToken\.|transcript\.)/

const isUnmasking = (caller: Caller, operation: Permission): boolean =>
  maskOf(caller) !== null && UNMASKING.test(operation)

const isHidden = (caller: Caller, operation: Permission): boolean =>
  hidesContacts(caller) && OF_CONTACTS.test(operation)

/** Permissions that a paused bot keeps. */
const READING = /\.(?:list|fetch|fetchSelf|watch|read)$|^search$/

/** @throws Forbidden naming the operation and the scope it needs; for a paused bot */
export function requirePermission(caller: Caller, operation: Permission): void {
  const refusal = refusalOf(caller, operation)
  if (refusal) throw refusal
}

/** Returns the refusal of a bot from which contacts are kept. */
export function contactsHidden(): Forbidden {
  const details = { reason: 'NO_GRANT', action: 'readContact', mode: 'none' } as const
  return new Forbidden("the bot's grants have none for readContact, not act", details)
}

/** Returns why the caller may not do it now, or null. */
export function refusalOf(caller: Caller, operation: Permission): Forbidden | null {
  if (isHidden(caller, operation)) return contactsHidden()
  if (isUnmasking(caller, operation))
    return new BotMasked(
      operation.startsWith('guestToken.') ? GUESTS_READ_ALL : 'the mail would show what is masked for the bot',
    )
  if (!isAllowed(caller, operation)) return new Forbidden(`${operation} needs the scope ${PERMISSIONS[operation]}`)
  if (caller.kind === 'user' && caller.isPaused && !READING.test(operation))
    return new Forbidden('the bot is paused: it may read, and nothing else', { reason: 'BOT_PAUSED' })
  return null
}
