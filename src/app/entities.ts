import type { EntityClass } from '@mikro-orm/postgresql'
import { Article } from '../modules/articles/article.js'
import { Attachment } from '../modules/attachments/attachment.js'
import { CannedResponse } from '../modules/canned-responses/canned-response.js'
import { Channel } from '../modules/channels/channel.js'
import { Contact } from '../modules/contacts/contact.js'
import { ContactNote } from '../modules/contacts/notes/contact-note.js'
import { File } from '../modules/files/file.js'
import { Form } from '../modules/forms/form.js'
import { Location } from '../modules/locations/location.js'
import { StoredFourEyes } from '../modules/four-eyes/four-eyes-settings.js'
import { PendingChange } from '../modules/four-eyes/pending-change.js'
import { Hold } from '../modules/holds/hold.js'
import { RetentionPolicy } from '../modules/retention/retention-policy.js'
import { RetentionRun } from '../modules/retention/retention-run.js'
import { OrganizationGroup } from '../modules/organizations/organization-group.js'
import { Organization } from '../modules/organizations/organization.js'
import { Service } from '../modules/services/service.js'
import { HolidayCalendar } from '../modules/schedules/holiday-calendar.js'
import { Schedule } from '../modules/schedules/schedule.js'
import { SlaPolicy } from '../modules/sla/sla-policy.js'
import { ReasonCode } from '../modules/staffing/reason-code.js'
import { Rating } from '../modules/ratings/rating.js'
import { Label } from '../modules/labels/label.js'
import { Macro } from '../modules/macros/macro.js'
import { StoredSignInPolicy } from '../modules/sign-in-policy/sign-in-policy.js'
import { View } from '../modules/views/view.js'
import { ContactErasure } from '../modules/privacy/contact-erasure.js'
import { ContactExport } from '../modules/privacy/export/contact-export.js'
import { Domain } from '../modules/sso/domains/domain.js'
import { Skill } from '../modules/staffing/skill.js'
import { User } from '../modules/users/user.js'
import { WorkflowDraft } from '../modules/workflows/drafts/workflow-draft.js'
import { Workflow } from '../modules/workflows/workflow.js'

/** All entity classes of the ORM. */
export const entities: EntityClass<object>[] = [
  Article,
  Attachment,
  CannedResponse,
  Channel,
  Contact,
  ContactErasure,
  ContactExport,
  ContactNote,
  Domain,
  StoredSignInPolicy,
  StoredFourEyes,
  PendingChange,
  File,
  Form,
  Hold,
  Location,
  Organization,
  OrganizationGroup,
  RetentionPolicy,
  RetentionRun,
  Service,
  HolidayCalendar,
  Schedule,
  ReasonCode,
  Label,
  Macro,
  View,
  Rating,
  Skill,
  SlaPolicy,
  User,
  Workflow,
  WorkflowDraft,
]
