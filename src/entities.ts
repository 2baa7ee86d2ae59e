import type { EntityClass } from '@mikro-orm/postgresql'
import { Channel } from './channels/channel.js'
import { Contact } from './contacts/contact.js'
import { OrganizationGroup } from './organizations/organization-group.js'
import { Organization } from './organizations/organization.js'
import { Service } from './services/service.js'
import { User } from './users/user.js'
import { Workflow } from './workflows/workflow.js'

/** Every class that the ORM knows. */
export const entities: EntityClass<object>[] = [Channel, Contact, Organization, OrganizationGroup, Service, User, Workflow]
