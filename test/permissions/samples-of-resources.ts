import { UNIQUE, UNIQUE_DOMAIN, UNIQUE_WORD, ref, SELF, type Sample } from './sample.js'
import type { Line } from './section-5.js'
import type { Kind } from './world.js'

const organization = ref('organization')
const user = ref('user')
const rule = (more: object = {}): object => ({
  conditions: { all: [] },
  event: { type: 'notify', params: { channels: [ref('channel')], users: [user], skills: [ref('skill')] } },
  ...more,
})
const ruleWithId = (id: object): object => ({ conditions: { all: [] }, event: { type: 'notify', params: {} }, ...id })

interface Resource {
  kind: Kind
  /** In the names of its fields: `organization` in `createOrganization`. */
  name: string
  lines: Record<'list' | 'fetch' | 'create' | 'update' | 'delete', Line>
  input: object
  patch: object
  create?: Partial<Sample>
  /** The kind that is deleted, when it is not the kind itself. */
  victim?: Kind
}

const FILES_AND_LOCATIONS: Resource['lines'] = {
  list: 'read files and locations',
  fetch: 'read files and locations',
  create: 'write files and locations',
  update: 'write files and locations',
  delete: 'delete other resource',
}

const ACTING_TARGETS = [
  { clock: 'QUEUE', minutes: 5, acts: [{ at: 'BREACHED', channels: [ref('channel')], users: [ref('user')] }] },
]
const SCHEDULES_AND_POLICIES: Resource['lines'] = {
  list: 'read schedules and SLA policies',
  fetch: 'read schedules and SLA policies',
  create: 'write schedules and SLA policies',
  update: 'write schedules and SLA policies',
  delete: 'write schedules and SLA policies',
}
const OFFICE_HOURS = { days: ['MON', 'TUE'], opens: '09:00', closes: '17:00' }

const RESOURCES: readonly Resource[] = [
  {
    kind: 'organization',
    name: 'organization',
    victim: 'spare',
    lines: {
      list: 'list organizations',
      fetch: 'fetch organization',
      create: 'create organization',
      update: 'update organization',
      delete: 'delete other resource',
    },
    input: { name: 'New', parent: ref('organization') },
    create: { byCenter: true },
    patch: { displayName: 'Changed', categories: [{ name: 'C', forms: [ref('form')] }] },
  },
  {
    kind: 'organizationGroup',
    name: 'organizationGroup',
    lines: {
      list: 'list organization groups',
      fetch: 'fetch organizationGroup',
      create: 'create organizationGroup',
      update: 'update organizationGroups',
      delete: 'delete other resource',
    },
    input: { name: 'New', organization, members: [organization] },
    patch: { members: [organization] },
  },
  {
    kind: 'channel',
    name: 'channel',
    lines: {
      list: 'read channels',
      fetch: 'read channels',
      create: 'write channels',
      update: 'write channels',
      delete: 'delete other resource',
    },
    input: { name: 'New', organization, members: [{ user }] },
    patch: { members: [{ user }] },
  },
  {
    kind: 'workflow',
    name: 'workflow',
    lines: {
      list: 'read workflows',
      fetch: 'read workflows',
      create: 'write and try workflows',
      update: 'write and try workflows',
      delete: 'delete other resource',
    },
    input: {
      name: 'New',
      organization,
      organizations: [organization],
      organizationTags: [ref('organizationGroup')],
      rules: [rule()],
    },
    patch: { organizations: [organization], organizationTags: [ref('organizationGroup')], rules: [rule()] },
  },
  {
    kind: 'contact',
    name: 'contact',
    victim: 'idleContact',
    lines: {
      list: 'list contacts',
      fetch: 'fetch contact',
      create: 'create contact',
      update: 'update contact',
      delete: 'delete other resource',
    },
    input: { organization, profile: { name: 'New' } },
    patch: { profile: { name: 'Changed' } },
  },
  {
    kind: 'webhook',
    name: 'service',
    lines: {
      list: 'list services',
      fetch: 'fetch service',
      create: 'create service',
      update: 'update service',
      delete: 'delete other resource',
    },
    input: { organization, name: 'New', type: 'email' },
    patch: { name: 'Changed' },
  },
  {
    kind: 'form',
    name: 'form',
    lines: {
      list: 'list forms',
      fetch: 'fetch form',
      create: 'create form',
      update: 'update form',
      delete: 'delete other resource',
    },
    input: { organization, name: UNIQUE },
    patch: { fields: [{ key: 'b' }] },
  },
  {
    kind: 'article',
    name: 'article',
    lines: {
      list: 'list knowledge items',
      fetch: 'fetch knowledge item',
      create: 'create knowledge item',
      update: 'update knowledge item',
      delete: 'delete knowledge item',
    },
    input: { organization, title: 'New' },
    patch: { title: 'Changed' },
  },
  {
    kind: 'file',
    name: 'file',
    lines: FILES_AND_LOCATIONS,
    input: { organization, name: 'New', attachment: ref('attachment') },
    patch: { url: null, attachment: ref('attachment') },
  },
  {
    kind: 'cannedResponse',
    name: 'cannedResponse',
    lines: {
      list: 'read canned responses',
      fetch: 'read canned responses',
      create: 'write canned responses',
      update: 'write canned responses',
      delete: 'write canned responses',
    },
    input: { organization, shortcut: UNIQUE_WORD, text: 'New' },
    patch: { text: 'Changed' },
  },
  {
    kind: 'reasonCode',
    name: 'reasonCode',
    lines: {
      list: 'read and write reason codes',
      fetch: 'read and write reason codes',
      create: 'read and write reason codes',
      update: 'read and write reason codes',
      delete: 'read and write reason codes',
    },
    input: { organization, name: UNIQUE_WORD },
    patch: { name: UNIQUE_WORD },
  },
  {
    kind: 'skill',
    name: 'skill',
    lines: {
      list: 'read and write skills',
      fetch: 'read and write skills',
      create: 'read and write skills',
      update: 'read and write skills',
      delete: 'read and write skills',
    },
    input: { organization, name: UNIQUE_WORD },
    patch: { name: UNIQUE_WORD },
  },
  {
    kind: 'holidayCalendar',
    name: 'holidayCalendar',
    lines: SCHEDULES_AND_POLICIES,
    input: { organization, name: 'New', days: [{ firstDay: '2030-12-25' }] },
    patch: { name: 'Changed' },
  },
  {
    kind: 'schedule',
    name: 'schedule',
    lines: SCHEDULES_AND_POLICIES,
    input: {
      organization,
      name: 'New',
      timezone: 'Europe/Amsterdam',
      spans: [OFFICE_HOURS],
      calendars: [ref('holidayCalendar')],
    },
    patch: { name: 'Changed', calendars: [ref('holidayCalendar')] },
  },
  {
    kind: 'slaPolicy',
    name: 'slaPolicy',
    lines: SCHEDULES_AND_POLICIES,
    input: { organization, name: 'New', targets: ACTING_TARGETS, schedule: ref('schedule') },
    patch: { name: 'Changed', targets: ACTING_TARGETS, schedule: ref('schedule') },
  },
  {
    kind: 'location',
    name: 'location',
    lines: FILES_AND_LOCATIONS,
    input: { organization, name: 'New' },
    patch: { name: 'Changed' },
  },
]

function samplesOf({ kind, name, lines, input, patch, create, victim = kind }: Resource): Sample[] {
  const type = name[0]!.toUpperCase() + name.slice(1)
  return [
    { field: `${name}s`.replace(/ys$/, 'ies'), line: lines.list, args: {} },
    { field: name, line: lines.fetch, args: { id: ref(kind) } },
    { field: `create${type}`, line: lines.create, args: { input }, ...create },
    { field: `update${type}`, line: lines.update, args: { id: ref(kind), patch } },
    { field: `delete${type}`, line: lines.delete, args: { id: ref(victim) } },
  ]
}

const workflow = ref('workflow')
const ofRule = { workflow, rule: ref('rule') }
const trying = { line: 'write and try workflows' } as const
const webhook = ref('webhook')

/** Domains are added, and looked for where no name server answers. */
function domainSamples(): Sample[] {
  const [line, args] = ['keep domains', { id: ref('domain') }] as const
  return [
    { field: 'domains', line, args: {} },
    { field: 'domain', line, args },
    { field: 'addDomain', line, args: { input: { organization, name: UNIQUE_DOMAIN } } },
    { field: 'verifyDomain', line, args, own: 'UNAVAILABLE', sub: 'UNAVAILABLE' },
    { field: 'removeDomain', line, args },
  ]
}

/** Erases contacts without conversations: what becomes of these is in test/privacy. */
function erasureSamples(): Sample[] {
  const line = 'see erasures'
  return [
    { field: 'contactErasures', line, args: {} },
    { field: 'contactErasure', line, args: { id: ref('erasure') } },
    { field: 'erasureLines', line, args: {} },
    { field: 'eraseContact', line: 'erase contacts', args: { id: ref('idleContact'), reason: 'REQUESTED' } },
  ]
}

/** Exports contacts: what is in them is in test/privacy. */
function exportSamples(): Sample[] {
  const line = 'export contacts'
  return [
    { field: 'contactExports', line, args: { contact: ref('contact') } },
    { field: 'contactExport', line, args: { id: ref('contactExport') } },
    { field: 'exportContact', line, args: { id: ref('contact'), notes: true } },
  ]
}

/** Holds each of a record that no other case deletes. */
function holdSamples(): Sample[] {
  const line = 'hold contacts and conversations'
  const args = { id: ref('hold') }
  const input = { name: 'Case', reason: 'Asked for', contacts: [ref('contact')], conversations: [ref('conversation')] }
  return [
    { field: 'holds', line, args: {} },
    { field: 'hold', line, args },
    { field: 'heldMessages', line, args: { hold: ref('hold') } },
    { field: 'heldMessages', how: 'of a conversation', line, args: { conversation: ref('conversation') } },
    {
      field: 'createHold',
      line,
      args: { input: { organization, ...input, users: [ref('bot', { reachesParent: true })] } },
    },
    { field: 'updateHold', line, args: { ...args, patch: { reason: 'Asked again' } } },
    { field: 'releaseHold', line, args },
  ]
}

/** Terms that nothing is old enough for: what they erase is in test/retention. An organization has one of each subject. */
function retentionSamples(): Sample[] {
  const line = 'keep terms of retention'
  const input = { organization, subject: 'CONTACTS', days: 3_650 }
  return [
    { field: 'retentionPolicies', line, args: {} },
    { field: 'retentionPolicy', line, args: { id: ref('retentionPolicy') } },
    { field: 'retentionPreview', line, args: { organization, subject: 'CONVERSATIONS', days: 3_650 } },
    { field: 'retentionRuns', line, args: {} },
    { field: 'retentionRun', line, args: { id: ref('retentionRun') } },
    { field: 'createRetentionPolicy', line, args: { input }, own: 'ANY', sub: 'ANY' },
    { field: 'updateRetentionPolicy', line, args: { id: ref('retentionPolicy'), patch: { days: 3_600 } } },
    { field: 'deleteRetentionPolicy', line, args: { id: ref('spareRetention') } },
  ]
}

/** Changes of an operation that this release does not know: what is carried out is in test/four-eyes. */
function fourEyesSamples(): Sample[] {
  const line = 'decide as a second administrator'
  const args = { id: ref('pendingChange') }
  return [
    { field: 'fourEyes', line, args: {} },
    { field: 'setFourEyes', line, args: { input: {} }, own: 'ANY', sub: 'ANY' },
    { field: 'pendingChanges', line, args: {} },
    { field: 'pendingChange', line, args },
    { field: 'approveChange', line, args, own: 'UNAVAILABLE', sub: 'UNAVAILABLE' },
    { field: 'withdrawChange', line, args, own: 'UNPROCESSABLE', sub: 'UNPROCESSABLE' },
    { field: 'refuseChange', line, args: { id: ref('sparePendingChange'), comment: 'No' } },
  ]
}

/** A rule that keeps nobody out. */
function signInPolicySamples(): Sample[] {
  const line = 'keep the sign-in policy'
  return [
    { field: 'signInPolicy', line, args: { organization } },
    { field: 'signInPolicyEffects', line, args: { organization, patch: { maxSessionHours: 8_760 } } },
    { field: 'updateSignInPolicy', line, args: { organization, patch: { maxSessionHours: 8_760 } } },
  ]
}

/** A document of no section, which changes nothing. */
function routingSamples(): Sample[] {
  const line = 'keep the routing as a document'
  return [
    { field: 'routing', line, args: { organization } },
    { field: 'planRouting', line, args: { organization, document: 'version: 1' } },
    { field: 'applyRouting', line, args: { organization, document: 'version: 1', digest: 'W10' } },
  ]
}

/** Labels are archived, never deleted. */
function labelSamples(): Sample[] {
  const args = { id: ref('label') }
  return [
    { field: 'labels', line: 'read labels', args: {} },
    { field: 'label', line: 'read labels', args },
    { field: 'createLabel', line: 'write labels', args: { input: { organization, name: UNIQUE_WORD } } },
    { field: 'updateLabel', line: 'write labels', args: { ...args, patch: { name: UNIQUE_WORD } } },
    { field: 'archiveLabel', line: 'write labels', args },
  ]
}

/** Written by an administrator: whoever else changes them is not the author. Authors: test/timeline. */
function contactSamples(): Sample[] {
  const contact = ref('contact')
  const args = { id: ref('contactNote') }
  return [
    { field: 'contactNotes', line: 'read notes of contacts', args: { contact } },
    { field: 'contactNote', line: 'read notes of contacts', args: { ...args, contact } },
    { field: 'addContactNote', line: 'note about contacts', args: { contact, text: UNIQUE_WORD } },
    {
      field: 'updateContactNote',
      line: "change others' notes",
      args: { ...args, contact, patch: { text: UNIQUE_WORD } },
    },
    { field: 'deleteContactNote', line: "change others' notes", args: { ...args, contact } },
    { field: 'contactTimeline', line: 'follow contacts', args: { contact } },
    { field: 'contactChanges', line: 'follow contacts', args: { contact }, isLive: true },
  ]
}

/** One's own are every agent's; shared ones are for administrators, and for supervisors: test/macros. */
function macroSamples(): Sample[] {
  const args = { id: ref('macro') }
  const reaching = { reachesParent: true }
  const steps = [
    { kind: 'LABELS', add: [ref('label', reaching)], remove: [] },
    { kind: 'HAND_OVER', channel: ref('channel', reaching) },
  ]
  const given = { steps: [{ kind: 'HAND_OVER', user: ref('user', reaching) }], channels: [ref('channel', reaching)] }
  return [
    { field: 'macros', line: 'read macros', args: {} },
    { field: 'macro', line: 'read macros', args },
    { field: 'createMacro', how: 'own', line: 'make own macros', args: { input: { name: UNIQUE_WORD, steps } } },
    {
      field: 'createMacro',
      how: 'shared',
      line: 'share macros',
      args: { input: { ...given, organization, name: UNIQUE_WORD, isShared: true } },
    },
    { field: 'updateMacro', line: 'share macros', args: { ...args, patch: { ...given, name: UNIQUE_WORD } } },
    { field: 'archiveMacro', line: 'share macros', args },
  ]
}

/** As macros: test/views has what else a filter may name. */
function viewSamples(): Sample[] {
  const args = { id: ref('view') }
  const filter = { labels: { eq: ref('label', { reachesParent: true }) } }
  return [
    { field: 'views', line: 'read views', args: {} },
    { field: 'view', line: 'read views', args },
    // What is out of sight is left out.
    { field: 'savedViewCounts', line: 'read views', args: { ids: [ref('view', { hidden: 'ok' })] } },
    { field: 'saveView', how: 'own', line: 'save own views', args: { input: { name: UNIQUE_WORD, filter } } },
    {
      field: 'saveView',
      how: 'shared',
      line: 'share views',
      args: { input: { organization, name: UNIQUE_WORD, filter, isShared: true } },
    },
    { field: 'saveView', how: 'change', line: 'share views', args: { ...args, input: { name: UNIQUE_WORD } } },
    { field: 'deleteView', line: 'share views', args },
  ]
}

/** Samples of all but conversations and messages. */
export const RESOURCE_SAMPLES: readonly Sample[] = [
  ...RESOURCES.flatMap(samplesOf),

  ...labelSamples(),
  ...contactSamples(),
  ...domainSamples(),
  ...signInPolicySamples(),
  ...routingSamples(),
  ...macroSamples(),
  ...viewSamples(),
  { field: 'agentState', how: 'self', line: 'set own availability', args: { user: SELF }, isOfSelf: true },
  { field: 'agentState', how: 'other', line: "set others' availability and capacity", args: { user } },
  {
    field: 'setAvailability',
    how: 'self',
    line: 'set own availability',
    args: { availability: 'AVAILABLE', user: SELF },
    isOfSelf: true,
  },
  {
    field: 'setAvailability',
    how: 'other',
    line: "set others' availability and capacity",
    args: { availability: 'AWAY', reason: 'Lunch', reasonCode: ref('reasonCode'), user },
  },
  {
    field: 'updateStaff',
    line: "set others' availability and capacity",
    args: { user, patch: { capacity: 8, skills: [ref('skill')] } },
  },
  // Made for nobody: what another is offered, the caller cannot decline.
  {
    field: 'declineOffer',
    line: 'answer offers',
    args: { offer: ref('offer'), reason: 'Not now' },
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
  },
  {
    field: 'reapplySla',
    line: 'apply SLA policies again',
    args: { conversation: ref('conversation') },
  },
  { field: 'contactCenter', line: 'manage contact centers', args: { id: ref('organization') } },
  { field: 'contactCenters', line: 'manage contact centers', args: {} },
  {
    field: 'createContactCenter',
    line: 'manage contact centers',
    args: { input: { name: UNIQUE_WORD, ownerEmail: UNIQUE } },
  },
  {
    field: 'updateContactCenter',
    line: 'manage contact centers',
    args: { id: ref('organization'), patch: { name: UNIQUE_WORD } },
  },
  { field: 'archiveContactCenter', line: 'manage contact centers', args: { id: ref('organization') } },
  { field: 'reopenContactCenter', line: 'manage contact centers', args: { id: ref('organization') } },
  { field: 'erasures', line: 'see erasures', args: {} },
  ...erasureSamples(),
  ...exportSamples(),
  ...holdSamples(),
  ...retentionSamples(),
  ...fourEyesSamples(),
  { field: 'recordChanges', line: 'see the audit log', args: {}, isLive: true },
  { field: 'auditEntries', line: 'see the audit log', args: { first: 5 } },
  { field: 'verifyAudit', line: 'see the audit log', args: {}, byCenter: true },
  { field: 'auditExport', line: 'see the audit log', args: {}, byCenter: true },
  { field: 'offers', line: 'answer offers', args: {}, isOfSelf: true },
  { field: 'agentStates', line: 'see who takes conversations', args: { channels: [ref('channel')] } },
  {
    field: 'agentStates',
    how: 'live',
    line: 'see who takes conversations',
    args: { channels: [ref('channel')] },
    isLive: true,
  },
  { field: 'me', line: 'fetch user details (self)', args: {} },
  { field: 'users', line: 'list users', args: {} },
  { field: 'user', how: 'other', line: 'fetch user details (other)', args: { id: user } },
  { field: 'user', how: 'self', line: 'fetch user details (self)', args: { id: SELF }, isOfSelf: true },
  {
    field: 'createUser',
    line: 'create user',
    args: { input: { email: UNIQUE, organization } },
  },
  { field: 'updateUser', how: 'other', line: 'update user details (other)', args: { id: user, patch: { phone: '1' } } },
  {
    field: 'updateUser',
    how: 'organization',
    line: 'update user details (other)',
    args: { id: user, patch: { organization } },
  },
  {
    field: 'updateUser',
    how: 'self',
    line: 'update user details (self)',
    args: { id: SELF, patch: { phone: '1' } },
    isOfSelf: true,
  },
  {
    field: 'updateMySettings',
    line: 'update user details (self)',
    args: { patch: { audioOnChat: true } },
    isOfSelf: true,
  },
  { field: 'deleteUser', line: 'delete other resource', args: { id: user } },
  { field: 'createSignInLink', line: 'update user details (other)', args: { user } },
  ...['pauseBot', 'resumeBot'].map((field): Sample => ({
    field,
    line: 'update user details (other)',
    args: { id: ref('bot') },
  })),
  {
    field: 'setBotGrants',
    line: 'update user details (other)',
    args: { bot: ref('bot'), organization, grants: [{ action: 'REPLY', mode: 'ACT' }] },
  },
  { field: 'setBotBudget', line: 'update user details (other)', args: { bot: ref('bot'), budget: { perDay: 100 } } },
  { field: 'releaseBot', line: 'update user details (other)', args: { id: ref('bot') } },
  ...['pauseBots', 'resumeBots'].map((field): Sample => ({
    field,
    line: 'update user details (other)',
    // One without the bot that asks beside.
    args: { organization: ref('spare') },
  })),
  { field: 'rotateApiToken', line: 'update user details (other)', args: { user: ref('bot') } },
  { field: 'revokeApiToken', line: 'update user details (other)', args: { user: ref('bot') } },
  { field: 'sessions', how: 'other', line: 'update user details (other)', args: { user } },
  { field: 'sessions', how: 'self', line: 'end sign-ins', args: { user: SELF }, isOfSelf: true },
  { field: 'endSessions', how: 'other', line: 'update user details (other)', args: { user } },
  { field: 'endSessions', how: 'self', line: 'end sign-ins', args: { user: SELF }, isOfSelf: true },
  {
    field: 'endSession',
    how: 'other',
    line: 'update user details (other)',
    args: { user, session: crypto.randomUUID() },
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
  },
  { field: 'secondFactor', how: 'other', line: 'update user details (other)', args: { user } },
  { field: 'secondFactorDue', line: 'keep own second factor', args: {}, isOfSelf: true },
  { field: 'secondFactor', how: 'self', line: 'keep own second factor', args: { user: SELF }, isOfSelf: true },
  { field: 'passkeys', how: 'other', line: 'update user details (other)', args: { user } },
  { field: 'passkeys', how: 'self', line: 'keep own second factor', args: { user: SELF }, isOfSelf: true },
  {
    field: 'createPasskeyProof',
    line: 'keep own second factor',
    args: {},
    // The callers have none.
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    isOfSelf: true,
  },
  {
    field: 'confirmPasskey',
    line: 'keep own second factor',
    args: { passkey: {}, name: 'Key' },
    own: 'BAD_USER_INPUT',
    sub: 'BAD_USER_INPUT',
    isOfSelf: true,
  },
  {
    field: 'renamePasskey',
    line: 'keep own second factor',
    args: { id: crypto.randomUUID(), name: 'Key' },
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
    isOfSelf: true,
  },
  {
    field: 'resetFactors',
    line: 'update user details (other)',
    // The user has none.
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { user },
  },
  { field: 'identities', how: 'other', line: 'update user details (other)', args: { user } },
  { field: 'identities', how: 'self', line: 'keep own identities', args: { user: SELF }, isOfSelf: true },
  { field: 'signInProviders', line: 'keep own identities', args: {}, isOfSelf: true },
  {
    field: 'unlinkIdentity',
    how: 'other',
    line: 'update user details (other)',
    args: { user, identity: crypto.randomUUID() },
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
  },
  {
    field: 'linkIdentity',
    line: 'keep own identities',
    args: { service: crypto.randomUUID(), currentPassword: 'a wrong one' },
    own: 'ANY',
    sub: 'NOT_FOUND',
    isOfSelf: true,
  },
  {
    field: 'confirmIdentity',
    line: 'keep own identities',
    args: { code: 'none' },
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
    isOfSelf: true,
  },
  {
    field: 'trialSignIn',
    line: 'update service',
    args: { code: 'none' },
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
    isOfSelf: true,
  },
  // Of a provider: test/sso/settings.test.ts.
  {
    field: 'signInAddresses',
    line: 'fetch service',
    args: { service: ref('webhook') },
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
  },
  // Of a provider: test/scim.
  ...['provisioning', 'createScimToken', 'revokeScimToken'].map((field): Sample => ({
    field,
    line: 'update service',
    args: {
      service: ref('webhook'),
      ...(field === 'createScimToken' && { overlapHours: 0 }),
      ...(field === 'revokeScimToken' && { token: crypto.randomUUID() }),
    },
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
  })),
  ...['enrolTotp', 'removeTotp', 'createRecoveryCodes', 'enrolPasskey', 'removePasskey'].map((field): Sample => ({
    field,
    line: 'keep own second factor',
    args: {
      currentPassword: 'a wrong one',
      ...(!field.startsWith('enrol') && { code: '000000' }),
      ...(field === 'removePasskey' && { id: crypto.randomUUID() }),
    },
    own: 'FORBIDDEN',
    sub: 'FORBIDDEN',
    isOfSelf: true,
  })),
  {
    field: 'confirmTotp',
    line: 'keep own second factor',
    args: { id: crypto.randomUUID(), code: '000000' },
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
    isOfSelf: true,
  },
  {
    field: 'revokeToken',
    how: 'of another',
    line: 'end sign-ins',
    args: { refreshToken: 'nonsense' },
    own: 'ANY',
    consumer: 'ANY',
  },

  { field: 'organizationWorkflows', line: 'read workflows', args: { organization }, showsParent: true },
  {
    field: 'channel',
    how: 'one member',
    line: 'read channels',
    args: { id: ref('channel'), ':user': user },
  },
  { field: 'addChannelMember', line: 'write channels', args: { channel: ref('channel'), user } },
  {
    field: 'removeChannelMember',
    line: 'write channels',
    args: { channel: ref('channel'), user: ref('user', { hidden: 'ok' }) },
  },

  {
    // A new organization has no forms yet.
    field: 'createOrganization',
    how: 'forms',
    line: 'create organization',
    byCenter: true,
    own: 'NOT_FOUND',
    args: { input: { name: 'New', categories: [{ name: 'C', forms: [ref('form')] }] } },
  },
  {
    field: 'createWorkflow',
    how: 'id',
    ...trying,
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { input: { name: 'New', id: ref('workflow', { hidden: 'UNPROCESSABLE' }) } },
  },
  {
    field: 'createWorkflow',
    how: '_id',
    ...trying,
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { input: { name: 'New', _id: ref('workflow', { hidden: 'UNPROCESSABLE' }) } },
  },
  {
    field: 'createWorkflow',
    how: 'rule ids',
    ...trying,
    args: { input: { name: 'New', rules: [ruleWithId({ id: ref('rule', { hidden: 'ok' }) })] } },
  },
  {
    field: 'createWorkflow',
    how: 'rule _ids',
    ...trying,
    args: { input: { name: 'New', rules: [ruleWithId({ _id: ref('rule', { hidden: 'ok' }) })] } },
  },
  {
    field: 'updateWorkflow',
    how: 'rule ids',
    ...trying,
    args: { id: workflow, patch: { rules: [ruleWithId({ id: ref('rule', { hidden: 'ok' }) })] } },
  },
  {
    field: 'updateWorkflow',
    how: 'rule _ids',
    ...trying,
    args: { id: workflow, patch: { rules: [ruleWithId({ _id: ref('rule', { hidden: 'ok' }) })] } },
  },
  { field: 'createWorkflowRule', ...trying, args: { workflow, input: rule() } },
  {
    field: 'createWorkflowRule',
    how: 'id',
    ...trying,
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { workflow, input: ruleWithId({ id: ref('rule', { hidden: 'ok' }) }) },
  },
  {
    field: 'createWorkflowRule',
    how: '_id',
    ...trying,
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { workflow, input: ruleWithId({ _id: ref('rule', { hidden: 'ok' }) }) },
  },
  { field: 'workflowRule', line: 'read workflows', args: ofRule },
  {
    field: 'workflow',
    how: 'one rule',
    line: 'read workflows',
    args: { id: ref('workflow'), ':rule': ofRule.rule },
  },
  { field: 'updateWorkflowRule', ...trying, args: { ...ofRule, patch: rule() } },
  { field: 'deleteWorkflowRule', ...trying, args: ofRule },
  { field: 'testWorkflow', ...trying, args: { workflow, facts: {} } },
  { field: 'testWorkflowRule', ...trying, args: { ...ofRule, facts: {} } },
  {
    field: 'explainWorkflow',
    ...trying,
    args: { workflow, facts: {}, offline: [ref('channel', { hidden: 'ok' })], rules: [rule()] },
  },
  { field: 'replayRules', ...trying, args: { workflow, rules: [rule()], since: new Date().toISOString() } },
  { field: 'workflowChange', ...trying, args: { workflow, number: 1 } },
  { field: 'workflowDiff', ...trying, args: { workflow, from: 1, to: 1 } },
  { field: 'restoreWorkflow', ...trying, args: { id: workflow, number: 1, comment: 'c' } },
  // The route of a workflow's versions, which asks for its history.
  { field: 'workflow', how: 'history', ...trying, args: { id: workflow } },
  { field: 'saveWorkflowDraft', ...trying, args: { workflow, rules: [rule()] } },
  // The draft that is there is another administrator's.
  { field: 'discardWorkflowDraft', ...trying, own: 'NOT_FOUND', sub: 'NOT_FOUND', args: { workflow } },
  { field: 'publishWorkflowDraft', ...trying, own: 'NOT_FOUND', sub: 'NOT_FOUND', args: { workflow, comment: 'c' } },
  { field: 'cancelWorkflowPublication', ...trying, args: { draft: ref('workflowDraft') } },
  // Rules ask for the hours of schedules of the organizations above, too.
  { field: 'routingFacts', ...trying, args: { conversation: ref('conversation') }, showsParent: true },

  { field: 'attachments', line: 'read attachments', args: {} },
  { field: 'attachment', line: 'read attachments', args: { id: ref('attachment') } },
  {
    field: 'updateAttachment',
    line: 'update attachment',
    args: { id: ref('attachment'), patch: { fileName: 'a.png' } },
  },
  { field: 'deleteAttachment', line: 'delete other resource', args: { id: ref('attachment') } },

  // Webhooks are services.
  { field: 'serviceKinds', line: 'list services', args: {}, isOfSelf: true },
  { field: 'webhookDeliveries', line: 'fetch service', args: { service: webhook } },
  { field: 'redeliverWebhook', line: 'update service', args: { delivery: ref('delivery') } },
  { field: 'mailboxEntries', line: 'fetch service', args: { service: ref('mailbox') } },
  { field: 'readMailboxEntry', line: 'update service', args: { id: ref('mailboxEntry') } },
  {
    field: 'replayWebhook',
    line: 'update service',
    own: 'ANY',
    sub: 'ANY',
    args: { service: webhook, conversation: ref('conversation', { hidden: 'ok' }), since: '2026-01-01T00:00:00Z' },
  },
  {
    field: 'replayWebhook',
    how: 'after',
    line: 'update service',
    own: 'ANY',
    sub: 'ANY',
    args: { service: webhook, after: ref('event', { hidden: 'ANY' }) },
  },
  { field: 'rotateWebhookSecret', line: 'update service', args: { service: webhook } },
  {
    field: 'verifyWebhook',
    line: 'update service',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { service: webhook },
  },
  ...['takeEvents', 'acknowledgeEvents', 'retryEvents'].map((field) => ({
    field,
    line: 'take events' as const,
    // It is a webhook. What its bot may is in test/webhooks/taking.test.ts.
    own: 'UNPROCESSABLE' as const,
    sub: 'UNPROCESSABLE' as const,
    args: {
      service: webhook,
      ...(field === 'takeEvents' ? { max: 1 } : { ids: [ref('event', { hidden: 'ANY' })] }),
      ...(field === 'retryEvents' && { attempts: [1] }),
    },
  })),
  {
    field: 'eventFeed',
    line: 'read events',
    // It is a webhook.
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { service: webhook },
  },
  { field: 'testService', line: 'update service', args: { service: webhook } },
  // Of a mailbox: test/touchpoints/mailbox/mailbox-sign-in.test.ts.
  {
    field: 'authorizeService',
    line: 'update service',
    args: { service: webhook },
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
  },
  { field: 'templates', line: 'list templates', args: { service: ref('webhook', { reachesParent: true }) } },
  {
    field: 'syncTemplates',
    line: 'update service',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { service: webhook },
  },
  {
    field: 'requestSenderVerification',
    line: 'update service',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { service: webhook },
  },
  {
    field: 'verifySender',
    line: 'update service',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { service: webhook, code: 'a' },
  },
]
