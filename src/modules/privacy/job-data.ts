/** The places of a consumer's data in the payload of a kind of job, by which its jobs are found. */
export type JobPlace =
  /** Ids, numbers, or what is of staff and of the organization itself. */
  | 'nothing'
  /** Named by `conversation`, `contact` or `other`. */
  | 'named'
  /** Paths of the consumer's addresses at the `service` of the payload. */
  | { addresses: readonly (readonly string[])[] }

/** Personal data in the payload of every kind of job: those that are pending when a contact is deleted are deleted too. */
export const JOB_DATA: Readonly<Record<string, JobPlace>> = {
  'message.process': 'named',
  'survey.ask': 'named',
  'routing.resume': 'named',
  'conversation.snooze': 'named',
  'conversation.closing': 'named',
  'clock.due': 'named',
  'clock.act': 'named',
  'offer.expire': 'named',
  'merge.suggest': 'named',
  'stream.lapse': 'named',
  'proposal.lapse': 'named',
  'push.send': 'named',
  'webhook.replay': 'named',
  'staffing.wrapUp': 'named',
  'transcript.mail': 'named',
  'transcript.code': 'named',
  'contact.fill': 'named',
  'contact.renamed': 'named',
  'contact.matched': 'named',
  'contact.said': 'named',
  'sms.media': { addresses: [['text', 'from']] },
  'messenger.event': { addresses: [['event', 'sender']] },
  'telegram.event': { addresses: [['event', 'chat']] },
  'whatsapp.event': {
    addresses: [
      ['event', 'from', 'userId'],
      ['event', 'from', 'phone'],
      ['event', 'to', 'userId'],
      ['event', 'to', 'phone'],
    ],
  },
  'touchpoint.remove': { addresses: [['recipient']] },
  // Ids of what the deletion removes: they find nothing any more.
  'touchpoint.deliver': 'nothing',
  'touchpoint.edit': 'nothing',
  'mailbox.file': 'nothing',
  'message.copyDeleted': 'nothing',
  'attachment.remove': 'nothing',
  'attachment.sweep': 'nothing',
  // The erasures themselves.
  'privacy.erase': 'nothing',
  'contact.erase': 'nothing',
  // Ids of exports.
  'contactExport.write': 'nothing',
  'contactExport.end': 'nothing',
  'conversation.deleted': 'nothing',
  'message.deleted': 'nothing',
  'contactNote.deleted': 'nothing',
  'attachment.deleted': 'nothing',
  'hold.changed': 'nothing',
  // An agent's; ids.
  'staffing.missed': 'nothing',
  'staffing.answered': 'nothing',
  'staffing.wrapUpEnd': 'nothing',
  'staffing.changed': 'nothing',
  'user.invite': 'nothing',
  'user.apiTokenEnds': 'nothing',
  'user.departed': 'nothing',
  'user.memberships': 'nothing',
  'user.passwordReset': 'nothing',
  'bot.paused': 'nothing',
  'bot.governed': 'nothing',
  'bulk.slice': 'nothing',
  'channel.membersRemoved': 'nothing',
  'channel.assignment': 'nothing',
  'contactCenter.reopened': 'nothing',
  'domain.check': 'nothing',
  'scim.rights': 'nothing',
  'sender.mail': 'nothing',
  'template.sync': 'nothing',
  'telegram.poll': 'nothing',
  'telegram.setUp': 'nothing',
  'workflow.publish': 'nothing',
  'workflow.publicationMail': 'nothing',
  'audit.seal': 'nothing',
  'report.fold': 'nothing',
  'presence.lost': 'nothing',
  'presence.back': 'nothing',
  // The addresses are a form's own.
  'results.mail': 'nothing',
}

/** SQL: the names under which {@link addressNameSql} hides the addresses of a job of this table, by kind. */
export const addressesOfJobSql = (job: string): string => `
select value as address from (values ${Object.entries(JOB_DATA)
  .flatMap(([kind, place]) => (typeof place === 'string' ? [] : place.addresses.map((path) => [kind, path] as const)))
  .map(([kind, path]) => `('${kind}', '{${path.join(',')}}'::text[])`)
  .join(', ')}) as place (kind, path), lateral (select ${job}.payload #>> place.path as value) as found
where place.kind = ${job}.kind and value is not null`

/** SQL: a pseudonym of an address at a service, by which a job is found that holds it, and that reveals nothing. */
export const addressNameSql = (service: string, address: string): string =>
  `erased_name(${service} || ' ' || ltrim(${address}, '+'))`
