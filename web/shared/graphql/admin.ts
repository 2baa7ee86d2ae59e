// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ArticleStatus =
  | 'DRAFT'
  | 'PUBLISHED';

export type AssignmentMode =
  | 'ASSIGN'
  | 'OFFER'
  | 'PULL';

export type AssignmentOrder =
  | 'LEAST_LOADED'
  | 'LONGEST_IDLE';

export type ChannelAssignmentInput = {
  limitPulls?: boolean | null | undefined;
  mode?: AssignmentMode | null | undefined;
  offerSeconds?: number | null | undefined;
  order?: AssignmentOrder | null | undefined;
  othersMayAccept?: boolean | null | undefined;
  preferLastSeconds?: number | null | undefined;
  requeueGoneSeconds?: number | null | undefined;
  tellPlace?: boolean | null | undefined;
};

export type ChannelMemberInput = {
  supervisor?: boolean | null | undefined;
  user: string;
};

export type ConditionKind =
  | 'ALL'
  | 'ANY'
  | 'LEAF';

export type CreateArticleInput = {
  body?: string | null | undefined;
  category?: string | null | undefined;
  content?: string | null | undefined;
  language?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  organization?: string | null | undefined;
  status?: ArticleStatus | null | undefined;
  summary?: string | null | undefined;
  tags?: Array<string> | null | undefined;
  title: string;
};

export type CreateCannedResponseInput = {
  organization?: string | null | undefined;
  shortcut: string;
  text: string;
};

export type CreateChannelInput = {
  assignment?: ChannelAssignmentInput | null | undefined;
  members?: Array<ChannelMemberInput> | null | undefined;
  name: string;
  organization?: string | null | undefined;
};

export type CreateFormInput = {
  email?: Array<string> | null | undefined;
  fields?: Array<FormFieldInput> | null | undefined;
  isStatic?: boolean | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name: string;
  organization?: string | null | undefined;
  tags?: Array<string> | null | undefined;
};

export type CreateOrganizationGroupInput = {
  members?: Array<string> | null | undefined;
  name: string;
  organization?: string | null | undefined;
};

export type CreateOrganizationInput = {
  categories?: Array<OrganizationCategoryInput> | null | undefined;
  commands?: Array<string> | null | undefined;
  country?: string | null | undefined;
  displayName?: string | null | undefined;
  email?: string | null | undefined;
  industry?: string | null | undefined;
  locale?: string | null | undefined;
  logo?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name: string;
  parent?: string | null | undefined;
  profileFields?: Record<string, unknown> | null | undefined;
  stopwords?: Array<string> | null | undefined;
  tags?: Array<string> | null | undefined;
  url?: string | null | undefined;
};

export type CreateServiceInput = {
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  organization?: string | null | undefined;
  params?: Record<string, unknown> | null | undefined;
  settings?: ServiceSettingsInput | null | undefined;
  status?: ServiceStatus | null | undefined;
  type: string;
};

export type CreateUserInput = {
  additionalName?: string | null | undefined;
  avatar?: string | null | undefined;
  displayName?: string | null | undefined;
  email: string;
  familyName?: string | null | undefined;
  givenName?: string | null | undefined;
  invite?: boolean | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  organization?: string | null | undefined;
  password?: string | null | undefined;
  phone?: string | null | undefined;
  role?: UserRole | null | undefined;
  scopes?: Array<string> | null | undefined;
  settings?: UserSettingsInput | null | undefined;
  status?: UserStatus | null | undefined;
};

export type CreateWorkflowInput = {
  _id?: string | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  organization?: string | null | undefined;
  organizationTags?: Array<string> | null | undefined;
  organizations?: Array<string> | null | undefined;
  rules?: Array<WorkflowRuleInput> | null | undefined;
};

export type EmailSettingsInput = {
  address?: string | null | undefined;
  fromName?: string | null | undefined;
  inboundSecret?: string | null | undefined;
  smtpPassword?: string | null | undefined;
  smtpUrl?: string | null | undefined;
  smtpUser?: string | null | undefined;
};

export type FormFieldInput = {
  default?: unknown;
  id?: string | null | undefined;
  key?: string | null | undefined;
  label?: string | null | undefined;
  max?: number | null | undefined;
  min?: number | null | undefined;
  name?: string | null | undefined;
  options?: Array<string> | null | undefined;
  pattern?: string | null | undefined;
  placeholder?: string | null | undefined;
  profileField?: string | null | undefined;
  required?: boolean | null | undefined;
  type?: FormFieldType | null | undefined;
};

export type FormFieldType =
  | 'BOOLEAN'
  | 'DATE'
  | 'EMAIL'
  | 'MULTISELECT'
  | 'NUMBER'
  | 'SELECT'
  | 'TELEPHONE'
  | 'TEXT'
  | 'TEXTAREA'
  | 'URL';

export type MailSenderProof =
  | 'DNS'
  | 'MAIL'
  | 'UPGRADE';

export type MessengerSettingsInput = {
  apiUrl?: string | null | undefined;
  appSecret?: string | null | undefined;
  pageAccessToken?: string | null | undefined;
  pageId?: string | null | undefined;
  verifyToken?: string | null | undefined;
};

export type OrganizationCategoryInput = {
  forms?: Array<string> | null | undefined;
  name: string;
};

export type OrganizationStatus =
  | 'ACTIVE';

export type RuleEventInput = {
  params: RuleEventParamsInput;
  type: string;
};

export type RuleEventParamsInput = {
  channels?: Array<string> | null | undefined;
  delay?: number | null | undefined;
  isLastRule?: boolean | null | undefined;
  name?: string | null | undefined;
  skills?: Array<string> | null | undefined;
  skillsDropAfter?: number | null | undefined;
  urgency?: number | null | undefined;
  users?: Array<string> | null | undefined;
};

export type RuleOutcome =
  | 'DEFERRED'
  | 'FIRED'
  | 'NOT_MATCHED'
  | 'SKIPPED';

export type ServiceSettingsInput = {
  email?: EmailSettingsInput | null | undefined;
  messenger?: MessengerSettingsInput | null | undefined;
  sms?: SmsSettingsInput | null | undefined;
  web?: WebSettingsInput | null | undefined;
  webhook?: WebhookSettingsInput | null | undefined;
};

export type ServiceStatus =
  | 'ACTIVE'
  | 'FAILING'
  | 'INACTIVE'
  | 'PAUSED'
  | 'UNVERIFIED';

export type SmsSettingsInput = {
  accountSid?: string | null | undefined;
  apiUrl?: string | null | undefined;
  authToken?: string | null | undefined;
  from?: string | null | undefined;
  messagingServiceSid?: string | null | undefined;
};

export type UpdateArticleInput = {
  body?: string | null | undefined;
  category?: string | null | undefined;
  content?: string | null | undefined;
  language?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  status?: ArticleStatus | null | undefined;
  summary?: string | null | undefined;
  tags?: Array<string> | null | undefined;
  title?: string | null | undefined;
};

export type UpdateCannedResponseInput = {
  shortcut?: string | null | undefined;
  text?: string | null | undefined;
};

export type UpdateChannelInput = {
  assignment?: ChannelAssignmentInput | null | undefined;
  members?: Array<ChannelMemberInput> | null | undefined;
  name?: string | null | undefined;
};

export type UpdateFormInput = {
  email?: Array<string> | null | undefined;
  fields?: Array<FormFieldInput> | null | undefined;
  isStatic?: boolean | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  tags?: Array<string> | null | undefined;
};

export type UpdateOrganizationGroupInput = {
  members?: Array<string> | null | undefined;
  name?: string | null | undefined;
};

export type UpdateOrganizationInput = {
  categories?: Array<OrganizationCategoryInput> | null | undefined;
  commands?: Array<string> | null | undefined;
  country?: string | null | undefined;
  displayName?: string | null | undefined;
  email?: string | null | undefined;
  industry?: string | null | undefined;
  locale?: string | null | undefined;
  logo?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  profileFields?: Record<string, unknown> | null | undefined;
  stopwords?: Array<string> | null | undefined;
  tags?: Array<string> | null | undefined;
  url?: string | null | undefined;
};

export type UpdateServiceInput = {
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  params?: Record<string, unknown> | null | undefined;
  settings?: ServiceSettingsInput | null | undefined;
  status?: ServiceStatus | null | undefined;
  type?: string | null | undefined;
};

export type UpdateUserInput = {
  additionalName?: string | null | undefined;
  avatar?: string | null | undefined;
  currentPassword?: string | null | undefined;
  displayName?: string | null | undefined;
  email?: string | null | undefined;
  familyName?: string | null | undefined;
  givenName?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  organization?: string | null | undefined;
  password?: string | null | undefined;
  phone?: string | null | undefined;
  role?: UserRole | null | undefined;
  settings?: UserSettingsInput | null | undefined;
  status?: UserStatus | null | undefined;
};

export type UpdateWorkflowInput = {
  name?: string | null | undefined;
  organizationTags?: Array<string> | null | undefined;
  organizations?: Array<string> | null | undefined;
  rules?: Array<WorkflowRuleInput> | null | undefined;
};

export type UserLocale =
  | 'DE'
  | 'EN'
  | 'FR'
  | 'NL';

export type UserRole =
  | 'ADMIN'
  | 'AGENT'
  | 'BOT'
  | 'OWNER'
  | 'VIEWER';

export type UserSettingsInput = {
  audioOnChat?: boolean | null | undefined;
  audioOnMessage?: boolean | null | undefined;
  cannedResponses?: Array<string> | null | undefined;
  focusOnAccept?: boolean | null | undefined;
  locale?: UserLocale | null | undefined;
  localeSet?: boolean | null | undefined;
  notifications?: Array<string> | null | undefined;
  notifyOnChat?: boolean | null | undefined;
  notifyOnMessage?: boolean | null | undefined;
  pushNotify?: boolean | null | undefined;
  tabdotMessage?: boolean | null | undefined;
  tabdotNotify?: boolean | null | undefined;
  timezone?: string | null | undefined;
  timezoneSet?: boolean | null | undefined;
};

export type UserStatus =
  | 'ACTIVE'
  | 'ARCHIVED'
  | 'INVITED'
  | 'QUEUED';

export type WebSettingsInput = {
  accent?: string | null | undefined;
  allowedOrigins?: Array<string> | null | undefined;
  greeting?: string | null | undefined;
  title?: string | null | undefined;
};

export type WebhookDeliveryStatus =
  | 'DELIVERED'
  | 'FAILED'
  | 'PENDING';

export type WebhookSettingsInput = {
  bot?: string | null | undefined;
  events?: Array<string> | null | undefined;
  ownMessages?: boolean | null | undefined;
  query?: string | null | undefined;
  secret?: string | null | undefined;
  url?: string | null | undefined;
};

export type WorkflowRuleInput = {
  _id?: string | null | undefined;
  conditions: Record<string, unknown>;
  event: RuleEventInput;
  id?: string | null | undefined;
  priority?: number | null | undefined;
};

export type AdminUserFragment = { id: string, displayName: string, email: string, role: UserRole, status: UserStatus, organizationId: string, lastLogin: string | null };

export type AdminChannelFragment = { id: string, name: string, organizationId: string, assignment: { mode: AssignmentMode | null, offerSeconds: number | null, order: AssignmentOrder | null, preferLastSeconds: number | null, othersMayAccept: boolean | null, limitPulls: boolean | null, requeueGoneSeconds: number | null, tellPlace: boolean | null } | null, members: Array<{ userId: string, supervisor: boolean, user: { id: string, displayName: string } | null }> };

export type AdminSenderFragment = { address: string, isRequired: boolean, isVerified: boolean, verifiedBy: MailSenderProof | null, dnsName: string, dnsValue: string };

export type AdminServiceFragment = { id: string, name: string | null, type: string, status: ServiceStatus, params: Record<string, unknown>, organizationId: string, updatedAt: string };

export type AdminFormFragment = { id: string, name: string, isStatic: boolean, email: Array<string>, tags: Array<string>, isTemplate: boolean, organizationId: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, default: unknown, pattern: string | null, min: number | null, max: number | null, profileField: string | null }> };

export type AdminRuleFragment = { id: string, priority: number, conditions: Record<string, unknown>, event: { type: string, params: { name: string | null, channels: Array<string> | null, users: Array<string> | null, delay: number | null, isLastRule: boolean | null } } };

export type AdminOverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminOverviewQuery = { me: { organization: { id: string, name: string, displayName: string | null, level: number, stopwords: Array<string> | null, commands: Array<string> | null, categories: Array<{ name: string, formIds: Array<string> }> | null } | null }, users: { totalCount: number }, channels: { totalCount: number }, workflows: { totalCount: number }, services: { totalCount: number, edges: Array<{ node: { id: string } }> }, conversations: { totalCount: number } };

export type AdminUsersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminUsersQuery = { users: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, displayName: string, email: string, role: UserRole, status: UserStatus, organizationId: string, lastLogin: string | null } }> } };

export type AdminChannelsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminChannelsQuery = { channels: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, organizationId: string, assignment: { mode: AssignmentMode | null, offerSeconds: number | null, order: AssignmentOrder | null, preferLastSeconds: number | null, othersMayAccept: boolean | null, limitPulls: boolean | null, requeueGoneSeconds: number | null, tellPlace: boolean | null } | null, members: Array<{ userId: string, supervisor: boolean, user: { id: string, displayName: string } | null }> } }> } };

export type AdminOrganizationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminOrganizationsQuery = { organizations: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, displayName: string | null, country: string | null, level: number, parentId: string | null, status: OrganizationStatus, stopwords: Array<string> | null, commands: Array<string> | null, tags: Array<string> | null, categories: Array<{ name: string, formIds: Array<string> }> | null } }> } };

export type AdminGroupsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminGroupsQuery = { organizationGroups: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, memberIds: Array<string>, organizationId: string } }> } };

export type AdminFormsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminFormsQuery = { forms: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, isStatic: boolean, email: Array<string>, tags: Array<string>, isTemplate: boolean, organizationId: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, default: unknown, pattern: string | null, min: number | null, max: number | null, profileField: string | null }> } }> } };

export type AdminArticlesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminArticlesQuery = { articles: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, title: string, body: string, category: string | null, language: string | null, status: ArticleStatus, tags: Array<string>, isShared: boolean, organizationId: string } }> } };

export type AdminServicesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminServicesQuery = { services: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string | null, type: string, status: ServiceStatus, params: Record<string, unknown>, organizationId: string, updatedAt: string, sender: { address: string, isRequired: boolean, isVerified: boolean, verifiedBy: MailSenderProof | null, dnsName: string, dnsValue: string } | null, webhook: { pending: number, failures: number, failingSince: string | null, lastError: string | null, lastIgnored: string | null } | null } }> } };

export type AdminDeliveriesQueryVariables = Exact<{
  service: string;
  after?: string | null | undefined;
}>;


export type AdminDeliveriesQuery = { webhookDeliveries: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, event: string, status: WebhookDeliveryStatus, statusCode: number | null, error: string | null, at: string, attemptCount: number, attemptedAt: string | null, reply: string | null } }> } };

export type AdminWorkflowsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminWorkflowsQuery = { workflows: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string | null, organizationId: string, rules: Array<{ id: string, priority: number, conditions: Record<string, unknown>, event: { type: string, params: { name: string | null, channels: Array<string> | null, users: Array<string> | null, delay: number | null, isLastRule: boolean | null } } }> } }> } };

export type AdminConditionFragment = { depth: number, kind: ConditionKind, fact: string | null, path: string | null, operator: string | null, value: unknown, isFound: boolean | null, factValue: unknown, result: boolean };

export type AdminExplainQueryVariables = Exact<{
  workflow: string;
  facts: Record<string, unknown>;
  rules?: Array<WorkflowRuleInput> | null | undefined;
}>;


export type AdminExplainQuery = { explainWorkflow: Array<{ outcome: RuleOutcome, reason: string, delaySeconds: number | null, channelsNotified: Array<string>, channelsOffline: Array<string>, users: Array<string>, conditions: Array<{ depth: number, kind: ConditionKind, fact: string | null, path: string | null, operator: string | null, value: unknown, isFound: boolean | null, factValue: unknown, result: boolean }> | null, rule: { id: string, name: string | null } | null }> };

export type AdminFactsQueryVariables = Exact<{
  conversation: string;
}>;


export type AdminFactsQuery = { routingFacts: Record<string, unknown> };

export type AdminPastQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminPastQuery = { conversations: { edges: Array<{ node: { id: string, name: string, preview: string | null, createdAt: string, contact: { profile: { name: string | null } } | null } }> } };

export type AdminReplayQueryVariables = Exact<{
  workflow: string;
  rules: Array<WorkflowRuleInput>;
  since: string;
}>;


export type AdminReplayQuery = { replayRules: { replayed: number, changed: number, unreached: number, isComplete: boolean, changes: Array<{ conversation: string, name: string, queuedAt: string, before: { channels: Array<string>, users: Array<string> }, after: { channels: Array<string>, users: Array<string> } }> } };

export type AdminCannedQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminCannedQuery = { cannedResponses: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, shortcut: string, text: string, organizationId: string } }> } };

export type CreateCannedMutationVariables = Exact<{
  input: CreateCannedResponseInput;
}>;


export type CreateCannedMutation = { createCannedResponse: { id: string } };

export type UpdateCannedMutationVariables = Exact<{
  id: string;
  patch: UpdateCannedResponseInput;
}>;


export type UpdateCannedMutation = { updateCannedResponse: { id: string } };

export type DeleteCannedMutationVariables = Exact<{
  id: string;
}>;


export type DeleteCannedMutation = { deleteCannedResponse: string };

export type ReplayWebhookMutationVariables = Exact<{
  service: string;
  since: string;
}>;


export type ReplayWebhookMutation = { replayWebhook: { since: string, until: string } };

export type CreateUserMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreateUserMutation = { createUser: { apiToken: string | null, id: string, displayName: string, email: string, role: UserRole, status: UserStatus, organizationId: string, lastLogin: string | null } };

export type UpdateUserMutationVariables = Exact<{
  id: string;
  patch: UpdateUserInput;
}>;


export type UpdateUserMutation = { updateUser: { id: string, displayName: string, email: string, role: UserRole, status: UserStatus, organizationId: string, lastLogin: string | null } };

export type CreateChannelMutationVariables = Exact<{
  input: CreateChannelInput;
}>;


export type CreateChannelMutation = { createChannel: { id: string, name: string, organizationId: string, assignment: { mode: AssignmentMode | null, offerSeconds: number | null, order: AssignmentOrder | null, preferLastSeconds: number | null, othersMayAccept: boolean | null, limitPulls: boolean | null, requeueGoneSeconds: number | null, tellPlace: boolean | null } | null, members: Array<{ userId: string, supervisor: boolean, user: { id: string, displayName: string } | null }> } };

export type UpdateChannelMutationVariables = Exact<{
  id: string;
  patch: UpdateChannelInput;
}>;


export type UpdateChannelMutation = { updateChannel: { id: string, name: string, organizationId: string, assignment: { mode: AssignmentMode | null, offerSeconds: number | null, order: AssignmentOrder | null, preferLastSeconds: number | null, othersMayAccept: boolean | null, limitPulls: boolean | null, requeueGoneSeconds: number | null, tellPlace: boolean | null } | null, members: Array<{ userId: string, supervisor: boolean, user: { id: string, displayName: string } | null }> } };

export type DeleteChannelMutationVariables = Exact<{
  id: string;
}>;


export type DeleteChannelMutation = { deleteChannel: string };

export type UpdateOrganizationMutationVariables = Exact<{
  id: string;
  patch: UpdateOrganizationInput;
}>;


export type UpdateOrganizationMutation = { updateOrganization: { id: string, name: string, displayName: string | null, stopwords: Array<string> | null, commands: Array<string> | null, categories: Array<{ name: string, formIds: Array<string> }> | null } };

export type CreateOrganizationMutationVariables = Exact<{
  input: CreateOrganizationInput;
}>;


export type CreateOrganizationMutation = { createOrganization: { id: string, name: string, level: number, parentId: string | null } };

export type CreateServiceMutationVariables = Exact<{
  input: CreateServiceInput;
}>;


export type CreateServiceMutation = { createService: { id: string, name: string | null, type: string, status: ServiceStatus, params: Record<string, unknown>, organizationId: string, updatedAt: string } };

export type UpdateServiceMutationVariables = Exact<{
  id: string;
  patch: UpdateServiceInput;
}>;


export type UpdateServiceMutation = { updateService: { id: string, name: string | null, type: string, status: ServiceStatus, params: Record<string, unknown>, organizationId: string, updatedAt: string } };

export type DeleteServiceMutationVariables = Exact<{
  id: string;
}>;


export type DeleteServiceMutation = { deleteService: string };

export type RequestSenderVerificationMutationVariables = Exact<{
  service: string;
}>;


export type RequestSenderVerificationMutation = { requestSenderVerification: { id: string } };

export type VerifySenderMutationVariables = Exact<{
  service: string;
  code?: string | null | undefined;
}>;


export type VerifySenderMutation = { verifySender: { id: string } };

export type VerifyWebhookMutationVariables = Exact<{
  service: string;
}>;


export type VerifyWebhookMutation = { verifyWebhook: { id: string, name: string | null, type: string, status: ServiceStatus, params: Record<string, unknown>, organizationId: string, updatedAt: string } };

export type RedeliverMutationVariables = Exact<{
  delivery: string;
}>;


export type RedeliverMutation = { redeliverWebhook: boolean };

export type CreateWorkflowMutationVariables = Exact<{
  input: CreateWorkflowInput;
}>;


export type CreateWorkflowMutation = { createWorkflow: { id: string, name: string | null, rules: Array<{ id: string, priority: number, conditions: Record<string, unknown>, event: { type: string, params: { name: string | null, channels: Array<string> | null, users: Array<string> | null, delay: number | null, isLastRule: boolean | null } } }> } };

export type UpdateWorkflowMutationVariables = Exact<{
  id: string;
  patch: UpdateWorkflowInput;
}>;


export type UpdateWorkflowMutation = { updateWorkflow: { id: string, name: string | null, rules: Array<{ id: string, priority: number, conditions: Record<string, unknown>, event: { type: string, params: { name: string | null, channels: Array<string> | null, users: Array<string> | null, delay: number | null, isLastRule: boolean | null } } }> } };

export type DeleteWorkflowMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWorkflowMutation = { deleteWorkflow: string };

export type CreateSignInLinkMutationVariables = Exact<{
  user: string;
}>;


export type CreateSignInLinkMutation = { createSignInLink: { url: string, expiresAt: string } };

export type TestServiceMutationVariables = Exact<{
  service: string;
  to?: string | null | undefined;
}>;


export type TestServiceMutation = { testService: { ok: boolean, message: string, durationMs: number } };

export type CreateFormMutationVariables = Exact<{
  input: CreateFormInput;
}>;


export type CreateFormMutation = { createForm: { id: string } };

export type UpdateFormMutationVariables = Exact<{
  id: string;
  patch: UpdateFormInput;
}>;


export type UpdateFormMutation = { updateForm: { id: string } };

export type DeleteFormMutationVariables = Exact<{
  id: string;
}>;


export type DeleteFormMutation = { deleteForm: string };

export type CreateArticleMutationVariables = Exact<{
  input: CreateArticleInput;
}>;


export type CreateArticleMutation = { createArticle: { id: string } };

export type UpdateArticleMutationVariables = Exact<{
  id: string;
  patch: UpdateArticleInput;
}>;


export type UpdateArticleMutation = { updateArticle: { id: string } };

export type DeleteArticleMutationVariables = Exact<{
  id: string;
}>;


export type DeleteArticleMutation = { deleteArticle: string };

export type CreateGroupMutationVariables = Exact<{
  input: CreateOrganizationGroupInput;
}>;


export type CreateGroupMutation = { createOrganizationGroup: { id: string } };

export type UpdateGroupMutationVariables = Exact<{
  id: string;
  patch: UpdateOrganizationGroupInput;
}>;


export type UpdateGroupMutation = { updateOrganizationGroup: { id: string } };

export type DeleteGroupMutationVariables = Exact<{
  id: string;
}>;


export type DeleteGroupMutation = { deleteOrganizationGroup: string };

export const AdminOverviewDocument = "query AdminOverview{me{organization{id name displayName level stopwords commands categories{name formIds}}}users(first:2 filter:{role:{ne:BOT}}){totalCount}channels(first:1){totalCount}workflows(first:1){totalCount}services(first:1 filter:{type:{eq:\"web\"}}){totalCount edges{node{id}}}conversations(first:1){totalCount}}" as TypedDocument<AdminOverviewQuery, AdminOverviewQueryVariables>

export const AdminUsersDocument = "query AdminUsers($after:String){users(first:50 after:$after orderBy:[{field:CREATED_AT}]){totalCount pageInfo{hasNextPage endCursor}edges{node{...AdminUser}}}}fragment AdminUser on User{id displayName email role status organizationId lastLogin}" as TypedDocument<AdminUsersQuery, AdminUsersQueryVariables>

export const AdminChannelsDocument = "query AdminChannels($after:String){channels(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{...AdminChannel}}}}fragment AdminChannel on Channel{id name organizationId assignment{mode offerSeconds order preferLastSeconds othersMayAccept limitPulls requeueGoneSeconds tellPlace}members{userId supervisor user{id displayName}}}" as TypedDocument<AdminChannelsQuery, AdminChannelsQueryVariables>

export const AdminOrganizationsDocument = "query AdminOrganizations($after:String){organizations(first:100 after:$after orderBy:[{field:CREATED_AT}]){pageInfo{hasNextPage endCursor}edges{node{id name displayName country level parentId status stopwords commands tags categories{name formIds}}}}}" as TypedDocument<AdminOrganizationsQuery, AdminOrganizationsQueryVariables>

export const AdminGroupsDocument = "query AdminGroups($after:String){organizationGroups(first:50 after:$after orderBy:[{field:NAME}]){pageInfo{hasNextPage endCursor}edges{node{id name memberIds organizationId}}}}" as TypedDocument<AdminGroupsQuery, AdminGroupsQueryVariables>

export const AdminFormsDocument = "query AdminForms($after:String){forms(first:50 after:$after orderBy:[{field:NAME}]){pageInfo{hasNextPage endCursor}edges{node{...AdminForm}}}}fragment AdminForm on Form{id name isStatic email tags isTemplate organizationId fields{id key label type required options placeholder default pattern min max profileField}}" as TypedDocument<AdminFormsQuery, AdminFormsQueryVariables>

export const AdminArticlesDocument = "query AdminArticles($after:String){articles(first:50 after:$after orderBy:[{field:CREATED_AT}]){pageInfo{hasNextPage endCursor}edges{node{id title body category language status tags isShared organizationId}}}}" as TypedDocument<AdminArticlesQuery, AdminArticlesQueryVariables>

export const AdminServicesDocument = "query AdminServices($after:String){services(first:100 after:$after orderBy:[{field:CREATED_AT}]){pageInfo{hasNextPage endCursor}edges{node{...AdminService sender{...AdminSender}webhook{pending failures failingSince lastError lastIgnored}}}}}fragment AdminService on Service{id name type status params organizationId updatedAt}fragment AdminSender on MailSender{address isRequired isVerified verifiedBy dnsName dnsValue}" as TypedDocument<AdminServicesQuery, AdminServicesQueryVariables>

export const AdminDeliveriesDocument = "query AdminDeliveries($service:ID!$after:String){webhookDeliveries(service:$service first:30 after:$after){pageInfo{hasNextPage endCursor}edges{node{id event status statusCode error at attemptCount attemptedAt reply}}}}" as TypedDocument<AdminDeliveriesQuery, AdminDeliveriesQueryVariables>

export const AdminWorkflowsDocument = "query AdminWorkflows($after:String){workflows(first:100 after:$after orderBy:[{field:CREATED_AT}]){pageInfo{hasNextPage endCursor}edges{node{id name organizationId rules{...AdminRule}}}}}fragment AdminRule on WorkflowRule{id priority conditions event{type params{name channels users delay isLastRule}}}" as TypedDocument<AdminWorkflowsQuery, AdminWorkflowsQueryVariables>

export const AdminExplainDocument = "query AdminExplain($workflow:ID!$facts:JSONObject!$rules:[WorkflowRuleInput!]){explainWorkflow(workflow:$workflow facts:$facts rules:$rules){outcome reason delaySeconds channelsNotified channelsOffline users conditions{...AdminCondition}rule{id name}}}fragment AdminCondition on ConditionTrace{depth kind fact path operator value isFound factValue result}" as TypedDocument<AdminExplainQuery, AdminExplainQueryVariables>

export const AdminFactsDocument = "query AdminFacts($conversation:ID!){routingFacts(conversation:$conversation)}" as TypedDocument<AdminFactsQuery, AdminFactsQueryVariables>

export const AdminPastDocument = "query AdminPast{conversations(first:20 filter:{type:{eq:CONTACT}}orderBy:[{field:CREATED_AT direction:DESC}]){edges{node{id name preview createdAt contact{profile{name}}}}}}" as TypedDocument<AdminPastQuery, AdminPastQueryVariables>

export const AdminReplayDocument = "query AdminReplay($workflow:ID!$rules:[WorkflowRuleInput!]!$since:DateTime!){replayRules(workflow:$workflow rules:$rules since:$since){replayed changed unreached isComplete changes{conversation name queuedAt before{channels users}after{channels users}}}}" as TypedDocument<AdminReplayQuery, AdminReplayQueryVariables>

export const AdminCannedDocument = "query AdminCanned($after:String){cannedResponses(first:50 after:$after orderBy:[{field:SHORTCUT}]){pageInfo{hasNextPage endCursor}edges{node{id shortcut text organizationId}}}}" as TypedDocument<AdminCannedQuery, AdminCannedQueryVariables>

export const CreateCannedDocument = "mutation CreateCanned($input:CreateCannedResponseInput!){createCannedResponse(input:$input){id}}" as TypedDocument<CreateCannedMutation, CreateCannedMutationVariables>

export const UpdateCannedDocument = "mutation UpdateCanned($id:ID!$patch:UpdateCannedResponseInput!){updateCannedResponse(id:$id patch:$patch){id}}" as TypedDocument<UpdateCannedMutation, UpdateCannedMutationVariables>

export const DeleteCannedDocument = "mutation DeleteCanned($id:ID!){deleteCannedResponse(id:$id)}" as TypedDocument<DeleteCannedMutation, DeleteCannedMutationVariables>

export const ReplayWebhookDocument = "mutation ReplayWebhook($service:ID!$since:DateTime!){replayWebhook(service:$service since:$since){since until}}" as TypedDocument<ReplayWebhookMutation, ReplayWebhookMutationVariables>

export const CreateUserDocument = "mutation CreateUser($input:CreateUserInput!){createUser(input:$input){...AdminUser apiToken}}fragment AdminUser on User{id displayName email role status organizationId lastLogin}" as TypedDocument<CreateUserMutation, CreateUserMutationVariables>

export const UpdateUserDocument = "mutation UpdateUser($id:ID!$patch:UpdateUserInput!){updateUser(id:$id patch:$patch){...AdminUser}}fragment AdminUser on User{id displayName email role status organizationId lastLogin}" as TypedDocument<UpdateUserMutation, UpdateUserMutationVariables>

export const CreateChannelDocument = "mutation CreateChannel($input:CreateChannelInput!){createChannel(input:$input){...AdminChannel}}fragment AdminChannel on Channel{id name organizationId assignment{mode offerSeconds order preferLastSeconds othersMayAccept limitPulls requeueGoneSeconds tellPlace}members{userId supervisor user{id displayName}}}" as TypedDocument<CreateChannelMutation, CreateChannelMutationVariables>

export const UpdateChannelDocument = "mutation UpdateChannel($id:ID!$patch:UpdateChannelInput!){updateChannel(id:$id patch:$patch){...AdminChannel}}fragment AdminChannel on Channel{id name organizationId assignment{mode offerSeconds order preferLastSeconds othersMayAccept limitPulls requeueGoneSeconds tellPlace}members{userId supervisor user{id displayName}}}" as TypedDocument<UpdateChannelMutation, UpdateChannelMutationVariables>

export const DeleteChannelDocument = "mutation DeleteChannel($id:ID!){deleteChannel(id:$id)}" as TypedDocument<DeleteChannelMutation, DeleteChannelMutationVariables>

export const UpdateOrganizationDocument = "mutation UpdateOrganization($id:ID!$patch:UpdateOrganizationInput!){updateOrganization(id:$id patch:$patch){id name displayName stopwords commands categories{name formIds}}}" as TypedDocument<UpdateOrganizationMutation, UpdateOrganizationMutationVariables>

export const CreateOrganizationDocument = "mutation CreateOrganization($input:CreateOrganizationInput!){createOrganization(input:$input){id name level parentId}}" as TypedDocument<CreateOrganizationMutation, CreateOrganizationMutationVariables>

export const CreateServiceDocument = "mutation CreateService($input:CreateServiceInput!){createService(input:$input){...AdminService}}fragment AdminService on Service{id name type status params organizationId updatedAt}" as TypedDocument<CreateServiceMutation, CreateServiceMutationVariables>

export const UpdateServiceDocument = "mutation UpdateService($id:ID!$patch:UpdateServiceInput!){updateService(id:$id patch:$patch){...AdminService}}fragment AdminService on Service{id name type status params organizationId updatedAt}" as TypedDocument<UpdateServiceMutation, UpdateServiceMutationVariables>

export const DeleteServiceDocument = "mutation DeleteService($id:ID!){deleteService(id:$id)}" as TypedDocument<DeleteServiceMutation, DeleteServiceMutationVariables>

export const RequestSenderVerificationDocument = "mutation RequestSenderVerification($service:ID!){requestSenderVerification(service:$service){id}}" as TypedDocument<RequestSenderVerificationMutation, RequestSenderVerificationMutationVariables>

export const VerifySenderDocument = "mutation VerifySender($service:ID!$code:String){verifySender(service:$service code:$code){id}}" as TypedDocument<VerifySenderMutation, VerifySenderMutationVariables>

export const VerifyWebhookDocument = "mutation VerifyWebhook($service:ID!){verifyWebhook(service:$service){...AdminService}}fragment AdminService on Service{id name type status params organizationId updatedAt}" as TypedDocument<VerifyWebhookMutation, VerifyWebhookMutationVariables>

export const RedeliverDocument = "mutation Redeliver($delivery:ID!){redeliverWebhook(delivery:$delivery)}" as TypedDocument<RedeliverMutation, RedeliverMutationVariables>

export const CreateWorkflowDocument = "mutation CreateWorkflow($input:CreateWorkflowInput!){createWorkflow(input:$input){id name rules{...AdminRule}}}fragment AdminRule on WorkflowRule{id priority conditions event{type params{name channels users delay isLastRule}}}" as TypedDocument<CreateWorkflowMutation, CreateWorkflowMutationVariables>

export const UpdateWorkflowDocument = "mutation UpdateWorkflow($id:ID!$patch:UpdateWorkflowInput!){updateWorkflow(id:$id patch:$patch){id name rules{...AdminRule}}}fragment AdminRule on WorkflowRule{id priority conditions event{type params{name channels users delay isLastRule}}}" as TypedDocument<UpdateWorkflowMutation, UpdateWorkflowMutationVariables>

export const DeleteWorkflowDocument = "mutation DeleteWorkflow($id:ID!){deleteWorkflow(id:$id)}" as TypedDocument<DeleteWorkflowMutation, DeleteWorkflowMutationVariables>

export const CreateSignInLinkDocument = "mutation CreateSignInLink($user:ID!){createSignInLink(user:$user){url expiresAt}}" as TypedDocument<CreateSignInLinkMutation, CreateSignInLinkMutationVariables>

export const TestServiceDocument = "mutation TestService($service:ID!$to:String){testService(service:$service to:$to){ok message durationMs}}" as TypedDocument<TestServiceMutation, TestServiceMutationVariables>

export const CreateFormDocument = "mutation CreateForm($input:CreateFormInput!){createForm(input:$input){id}}" as TypedDocument<CreateFormMutation, CreateFormMutationVariables>

export const UpdateFormDocument = "mutation UpdateForm($id:ID!$patch:UpdateFormInput!){updateForm(id:$id patch:$patch){id}}" as TypedDocument<UpdateFormMutation, UpdateFormMutationVariables>

export const DeleteFormDocument = "mutation DeleteForm($id:ID!){deleteForm(id:$id)}" as TypedDocument<DeleteFormMutation, DeleteFormMutationVariables>

export const CreateArticleDocument = "mutation CreateArticle($input:CreateArticleInput!){createArticle(input:$input){id}}" as TypedDocument<CreateArticleMutation, CreateArticleMutationVariables>

export const UpdateArticleDocument = "mutation UpdateArticle($id:ID!$patch:UpdateArticleInput!){updateArticle(id:$id patch:$patch){id}}" as TypedDocument<UpdateArticleMutation, UpdateArticleMutationVariables>

export const DeleteArticleDocument = "mutation DeleteArticle($id:ID!){deleteArticle(id:$id)}" as TypedDocument<DeleteArticleMutation, DeleteArticleMutationVariables>

export const CreateGroupDocument = "mutation CreateGroup($input:CreateOrganizationGroupInput!){createOrganizationGroup(input:$input){id}}" as TypedDocument<CreateGroupMutation, CreateGroupMutationVariables>

export const UpdateGroupDocument = "mutation UpdateGroup($id:ID!$patch:UpdateOrganizationGroupInput!){updateOrganizationGroup(id:$id patch:$patch){id}}" as TypedDocument<UpdateGroupMutation, UpdateGroupMutationVariables>

export const DeleteGroupDocument = "mutation DeleteGroup($id:ID!){deleteOrganizationGroup(id:$id)}" as TypedDocument<DeleteGroupMutation, DeleteGroupMutationVariables>
