import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Module } from '../../platform/module.js'
import { ContactAddressResolver, ContactProfileResolver } from './contact-custom-resolver.js'
import { ContactsResolver } from './contacts-resolver.js'
import { ContactNotesResolver } from './notes/contact-notes-resolver.js'
import { CONTACT_FILL, createContactFiller } from './fill-contact.js'

export interface ContactsDependencies {
  jobs: JobRunner
  transact: Transact
  systemContext: (requestId: string) => Context
}

/** Builds the resolvers of contacts, and registers the job that fills profile fields. */
export function openContactsModule({ jobs, transact, systemContext }: ContactsDependencies): Module {
  jobs.register(CONTACT_FILL, createContactFiller(transact, systemContext))
  return {
    resolvers: [
      new ContactsResolver(transact),
      new ContactNotesResolver(transact),
      new ContactAddressResolver(),
      new ContactProfileResolver(),
    ],
  }
}
