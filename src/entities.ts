import type { EntityClass } from '@mikro-orm/postgresql'
import { Article } from './articles/article.js'
import { Attachment } from './attachments/attachment.js'
import { CannedResponse } from './canned-responses/canned-response.js'
import { Channel } from './channels/channel.js'
import { Contact } from './contacts/contact.js'
import { File } from './files/file.js'
import { Form } from './forms/form.js'
import { Location } from './locations/location.js'
import { OrganizationGroup } from './organizations/organization-group.js'
import { Organization } from './organizations/organization.js'
import { Service } from './services/service.js'
import { Schedule } from './schedules/schedule.js'
import { SlaPolicy } from './sla/sla-policy.js'
import { Skill } from './staffing/skill.js'
import { User } from './users/user.js'
import { Workflow } from './workflows/workflow.js'

/** All entity classes of the ORM. */
export const entities: EntityClass<object>[] = [
  Article,
  Attachment,
  CannedResponse,
  Channel,
  Contact,
  File,
  Form,
  Location,
  Organization,
  OrganizationGroup,
  Service,
  Schedule,
  Skill,
  SlaPolicy,
  User,
  Workflow,
]
