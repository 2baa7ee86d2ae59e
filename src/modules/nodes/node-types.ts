import type { Permission } from '../../platform/access/permissions.js'
import { sharedArticles } from '../articles/article.js'
import { Attachment } from '../attachments/attachment.js'
import { CannedResponse } from '../canned-responses/canned-response.js'
import { Channel } from '../channels/channel.js'
import { ContactNote } from '../contacts/notes/contact-note.js'
import { Contact } from '../contacts/contact.js'
import type { Context } from '../../platform/context.js'
import { fetchConversation } from '../conversations/api/conversation.js'
import { fetchMessage } from '../conversations/api/fetch-message.js'
import { sharedFiles } from '../files/file.js'
import { sharedForms, shownForm } from '../forms/form.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { sharedLocations } from '../locations/location.js'
import { OrganizationGroup } from '../organizations/organization-group.js'
import { Organization } from '../organizations/organization.js'
import { shownService } from '../services/service-writes.js'
import { Service } from '../services/service.js'
import { fetchShared } from '../sharing/shared-records.js'
import { Schedule } from '../schedules/schedule.js'
import { SlaPolicy } from '../sla/sla-policy.js'
import { Domain } from '../sso/domains/domain.js'
import { Label } from '../labels/label.js'
import { fetchMacro } from '../macros/macro-list.js'
import { fetchView } from '../views/view-list.js'
import { fetchRating } from '../ratings/fetch-rating.js'
import { Skill } from '../staffing/skill.js'
import { User } from '../users/user.js'
import { Workflow } from '../workflows/workflow.js'

interface NodeType {
  table: string
  /** As of the query that reads one by its id. */
  permission: Permission
  fetch(ctx: Context, id: string): Promise<object>
}

/** The types that implement `Node`, by their names. Ids are UUIDs, unique over all tables. */
export const NODE_TYPES: Readonly<Record<string, NodeType>> = {
  Article: {
    table: 'article',
    permission: 'article.fetch',
    fetch: (ctx, id) => fetchShared(ctx, sharedArticles, id),
  },
  Attachment: {
    table: 'attachment',
    permission: 'attachment.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, Attachment, id),
  },
  CannedResponse: {
    table: 'canned_response',
    permission: 'cannedResponse.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, CannedResponse, id),
  },
  Channel: { table: 'channel', permission: 'channel.fetch', fetch: (ctx, id) => fetchRecord(ctx, Channel, id) },
  Contact: { table: 'contact', permission: 'contact.fetch', fetch: (ctx, id) => fetchRecord(ctx, Contact, id) },
  ContactNote: {
    table: 'contact_note',
    permission: 'contactNote.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, ContactNote, id),
  },
  Conversation: { table: 'conversation', permission: 'conversation.fetch', fetch: fetchConversation },
  File: { table: 'file', permission: 'file.fetch', fetch: (ctx, id) => fetchShared(ctx, sharedFiles, id) },
  Form: {
    table: 'form',
    permission: 'form.fetch',
    fetch: async (ctx, id) => shownForm(ctx, await fetchShared(ctx, sharedForms, id)),
  },
  Location: {
    table: 'location',
    permission: 'location.fetch',
    fetch: (ctx, id) => fetchShared(ctx, sharedLocations, id),
  },
  Message: { table: 'message', permission: 'message.fetch', fetch: (ctx, id) => fetchMessage(ctx, id) },
  Organization: {
    table: 'organization',
    permission: 'organization.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, Organization, id),
  },
  OrganizationGroup: {
    table: 'organization_group',
    permission: 'organizationGroup.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, OrganizationGroup, id),
  },
  Service: {
    table: 'service',
    permission: 'service.fetch',
    fetch: async (ctx, id) => shownService(await fetchRecord(ctx, Service, id)),
  },
  Schedule: {
    table: 'schedule',
    permission: 'schedule.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, Schedule, id),
  },
  SlaPolicy: {
    table: 'sla_policy',
    permission: 'slaPolicy.fetch',
    fetch: (ctx, id) => fetchRecord(ctx, SlaPolicy, id),
  },
  Domain: { table: 'domain', permission: 'domain.fetch', fetch: (ctx, id) => fetchRecord(ctx, Domain, id) },
  Label: { table: 'label', permission: 'label.fetch', fetch: (ctx, id) => fetchRecord(ctx, Label, id) },
  Macro: { table: 'macro', permission: 'macro.fetch', fetch: (ctx, id) => fetchMacro(ctx, id) },
  Rating: { table: 'rating', permission: 'rating.fetch', fetch: (ctx, id) => fetchRating(ctx, id) },
  Skill: { table: 'skill', permission: 'skill.fetch', fetch: (ctx, id) => fetchRecord(ctx, Skill, id) },
  User: { table: 'app_user', permission: 'user.fetch', fetch: (ctx, id) => fetchRecord(ctx, User, id) },
  View: { table: 'view', permission: 'view.fetch', fetch: (ctx, id) => fetchView(ctx, id) },
  Workflow: { table: 'workflow', permission: 'workflow.fetch', fetch: (ctx, id) => fetchRecord(ctx, Workflow, id) },
}
