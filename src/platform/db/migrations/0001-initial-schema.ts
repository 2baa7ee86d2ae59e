import { Migration } from '@mikro-orm/migrations'
import { AUDIT } from './initial-schema/audit.js'
import { CONTACT_CENTERS } from './initial-schema/contact-centers.js'
import { CHANNELS } from './initial-schema/channels.js'
import { CONTACTS } from './initial-schema/contacts.js'
import { CONVERSATIONS } from './initial-schema/conversations.js'
import { DELIVERIES } from './initial-schema/deliveries.js'
import { EVENTS_AND_JOBS } from './initial-schema/events-and-jobs.js'
import { HOLDS } from './initial-schema/holds.js'
import { MAILBOXES } from './initial-schema/mailboxes.js'
import { MESSAGES } from './initial-schema/messages.js'
import { ORGANIZATIONS } from './initial-schema/organizations.js'
import { PAGES } from './initial-schema/pages.js'
import { PRESENCE } from './initial-schema/presence.js'
import { RATINGS } from './initial-schema/ratings.js'
import { REPORTS } from './initial-schema/reports.js'
import { RESOURCES } from './initial-schema/resources.js'
import { FOUR_EYES } from './initial-schema/four-eyes.js'
import { RETENTION } from './initial-schema/retention.js'
import { SEARCH } from './initial-schema/search.js'
import { SERVICES } from './initial-schema/services.js'
import { SIGN_IN } from './initial-schema/sign-in.js'
import { SLA } from './initial-schema/sla.js'
import { STAFFING } from './initial-schema/staffing.js'
import { USERS } from './initial-schema/users.js'
import { WEBHOOKS } from './initial-schema/webhooks.js'

/** Everything that 0.1.0 stores, one file a subject. Each table stands in one place, with its indexes. */
export class InitialSchema extends Migration {
  override up(): void {
    for (const subject of SUBJECTS) for (const statement of subject) this.addSql(statement)
  }
}

/** A table is created after those to which it refers. */
const SUBJECTS = [
  EVENTS_AND_JOBS,
  ORGANIZATIONS,
  USERS,
  AUDIT,
  CONTACT_CENTERS,
  SERVICES,
  MAILBOXES,
  SIGN_IN,
  CHANNELS,
  CONTACTS,
  CONVERSATIONS,
  MESSAGES,
  HOLDS,
  RETENTION,
  FOUR_EYES,
  SEARCH,
  DELIVERIES,
  RESOURCES,
  STAFFING,
  SLA,
  RATINGS,
  REPORTS,
  WEBHOOKS,
  PAGES,
  PRESENCE,
]
