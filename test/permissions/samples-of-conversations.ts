import { UNIQUE, UNIQUE_WORD, ref, type Ref, type Sample } from './sample.js'
import type { Line } from './section-5.js'

const MARCH = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' }
/** A browser's subscription; nothing is sent. */
const BROWSER = {
  endpoint: 'https://push.example.com/a-browser',
  p256dh: 'BPH5YHlGNodOqM3d58AiGaPxdZV6GR8-UTsX8zUY4RACnc3wp7xOJeSSe1fXovT-Z6BL0flSAdGKdtTpqHxscWo',
  auth: 'AAAAAAAAAAAAAAAAAAAAAA',
}
/** A record out of sight is in no number. */
const SHOWS_NOTHING = { hidden: 'ok' }
const conversation = ref('conversation')
const message = ref('message')
/** A user who may take part in a conversation: its organization's users and those above it (4.8). */
const member: Ref = ref('user', { reachesParent: true })
/** A service that serves the organizations below it (2.9). */
const service: Ref = ref('webhook', { reachesParent: true })
const command = 'give a command (4.8)'

/** A message's content, sent by each of the ways to send one. */
interface Content {
  to?: Ref
  how?: string
  line: Line
  message: Readonly<Record<string, unknown>>
  consumer?: string
  own?: string
  sub?: string
  showsParent?: boolean
}

const slash = (text: string, meta: object = {}, more: object = {}): Content => ({
  how:
    text.replace(/ .*/, '') +
    Object.keys(meta)
      .map((key) => ` ${key}`)
      .join(''),
  line: text === '/enqueue' ? 'enqueue (3.1)' : command,
  message: { type: 'COMMAND', text, meta, ...more },
})

/** It must be closed; the workflows of the organizations above run as well (3.4). */
const queueing = { to: ref('origin'), showsParent: true } as const

const CONTENTS: readonly Content[] = [
  { line: 'create message', message: { text: 'Hi' }, consumer: 'ok' },
  { how: 'user', line: 'send on behalf of others', message: { text: 'Hi', user: member } },
  {
    how: 'as the consumer',
    line: 'speak as the consumer',
    message: { text: 'Hi', role: 'CONTACT' },
    consumer: 'ok',
    showsParent: true,
  },
  { how: 'service', line: 'create message', message: { text: 'Hi', service } },
  { how: 'fileId', line: 'create message', message: { text: 'Hi', meta: { fileId: ref('attachment') } } },
  {
    how: 'mention of a user',
    line: 'create message',
    message: { type: 'MENTION', text: 'Hi', meta: { targetUser: member } },
  },
  {
    how: 'mention of an organization',
    line: 'create message',
    message: {
      type: 'MENTION',
      text: 'Hi',
      meta: { targetOrganization: ref('organization', { reachesParent: true }) },
    },
  },
  {
    how: 'form',
    line: 'create message',
    own: 'ANY',
    sub: 'ANY',
    consumer: 'ANY',
    message: { type: 'FORM', text: '+Form', meta: { form: ref('form', { hidden: 'ANY' }) } },
  },
  slash('/accept', {}, { user: member }),
  slash('/accept', { channels: [ref('channel', { hidden: 'ok' })] }),
  slash('/join', {}, { user: member }),
  slash('/follow', {}, { user: member }),
  slash('/assign', { users: [member] }),
  { ...slash('/notify', { channels: [ref('channel', { reachesParent: true })] }), ...queueing },
  { ...slash('/notify', { organizations: [ref('organization', { reachesParent: true })] }), ...queueing },
  slash('/action like', { message }),
  slash('/action comment Fine', { message }),
  { ...slash('/send', { form: ref('form', { hidden: 'UNPROCESSABLE' }) }), own: 'UNPROCESSABLE', sub: 'UNPROCESSABLE' },
  slash('/set', { key: 'value' }),
  { ...slash('/enqueue'), showsParent: true },
]

const sends = CONTENTS.flatMap(({ message: content, to = conversation, ...sample }): Sample[] => [
  { field: 'sendMessage', ...sample, args: { conversation: to, message: content } },
  { field: 'sendMessages', ...sample, args: { conversation: to, messages: [content] } },
])

const commands: readonly [field: string, args: Sample['args'], how?: string][] = [
  ['acceptConversation', { conversation }],
  ['acceptConversation', { conversation, user: member }, 'user'],
  ['joinConversation', { conversation }],
  ['joinConversation', { conversation, user: member }, 'user'],
  ['followConversation', { conversation }],
  ['followConversation', { conversation, user: member }, 'user'],
  ['unfollowConversation', { conversation }],
  ['unfollowConversation', { conversation, user: ref('user', { hidden: 'REFUSED' }) }, 'user'],
  ['leaveConversation', { conversation }],
  // Who takes no part may leave as well.
  ['leaveConversation', { conversation, user: member }, 'user'],
  ['assignConversation', { conversation, users: [member] }],
  ['blockContact', { conversation }],
  ['importConversation', { conversation, origin: ref('origin') }],
  ['setConversation', { conversation, patch: { meta: { key: 'value' } } }],
]

/** Samples of conversations and messages, and of what is live. */
export const CONVERSATION_SAMPLES: readonly Sample[] = [
  { field: 'conversations', line: 'list conversations', args: {} },
  {
    field: 'conversation',
    how: 'fetch',
    line: 'fetch conversation details',
    args: { id: conversation },
    consumer: 'ok',
  },
  {
    field: 'createConversation',
    line: 'create conversation',
    args: { input: { organization: ref('organization'), contact: { profile: { name: 'New', email: UNIQUE } } } },
  },
  {
    field: 'createConversation',
    how: 'of a contact',
    line: 'create conversation',
    args: { input: { organization: ref('organization'), contact: { id: ref('contact') } } },
  },
  {
    field: 'createConversation',
    how: 'of a team',
    line: 'create conversation',
    args: { input: { organization: ref('organization'), type: 'AGENT', participants: [member] } },
  },
  ...CONTENTS.slice(0, 4).map(({ message: content, how, line, showsParent }): Sample => ({
    field: 'createConversation',
    how: `with a message${how ? `: ${how}` : ''}`,
    line: line === 'create message' ? 'create conversation' : line,
    ...(showsParent && { showsParent }),
    args: {
      input: {
        organization: ref('organization'),
        touchpoint: 'WEB',
        contact: { profile: { name: 'New', email: UNIQUE } },
        messages: [content],
      },
    },
  })),
  { field: 'updateConversation', line: 'update conversation', args: { id: conversation, patch: { name: 'Changed' } } },
  { field: 'deleteConversation', line: 'delete other resource', args: { id: conversation } },

  { field: 'messages', line: 'list messages', args: {} },
  { field: 'messages', how: 'of a conversation', line: 'list messages', args: { ':id': conversation } },
  { field: 'message', line: 'fetch message', args: { id: message } },
  { field: 'message', how: 'of a conversation', line: 'fetch message', args: { id: message, conversation } },
  { field: 'updateMessage', line: 'update message', args: { id: message, patch: { text: 'Changed' } } },
  {
    field: 'updateMessage',
    how: 'of a conversation',
    line: 'update message',
    args: { id: message, conversation, patch: { text: 'Changed' } },
  },
  {
    field: 'updateMessage',
    how: 'fileId',
    line: 'update message',
    args: { id: message, patch: { meta: { fileId: ref('attachment') } } },
  },
  // Of an id that nothing was sent under.
  { field: 'cancelMessage', line: command, args: { conversation, id: UNIQUE_WORD } },
  { field: 'deleteMessage', line: 'delete other resource', args: { id: message } },
  {
    field: 'deleteMessage',
    how: 'of a conversation',
    line: 'delete other resource',
    args: { id: message, conversation },
  },

  ...sends,
  ...commands.map(([field, args, how]): Sample => ({ field, args, line: command, ...(how && { how }) })),
  // Of one's own part, which not everybody has.
  ...(['user', 'channel'] as const).map((target): Sample => ({
    field: 'handOverConversation',
    how: target,
    line: command,
    own: 'ANY',
    sub: 'ANY',
    args: {
      conversation,
      [target]: ref(target, { reachesParent: true }),
      ...(target === 'channel' && { skills: [ref('skill', { reachesParent: true })] }),
    },
  })),
  ...[
    {},
    { channels: [ref('channel', { reachesParent: true })] },
    { organizations: [ref('organization', { reachesParent: true })] },
  ].map((targets): Sample => ({
    field: 'notifyConversation',
    how: Object.keys(targets)[0] ?? 'all',
    line: command,
    showsParent: true,
    args: { conversation: ref('origin'), ...targets },
  })),
  { field: 'enqueueConversation', line: 'enqueue (3.1)', args: { conversation }, showsParent: true },
  {
    field: 'setLabels',
    how: 'adding',
    line: 'put labels on conversations',
    args: { conversation, add: [ref('label', { reachesParent: true })] },
  },
  {
    field: 'setLabels',
    how: 'removing',
    line: 'put labels on conversations',
    args: { conversation, remove: [ref('label', { reachesParent: true })] },
  },
  {
    // Only whoever has accepted it puts it aside.
    field: 'snooze',
    line: command,
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { conversation, until: new Date(Date.now() + 86_400_000).toISOString() },
  },
  {
    // What is out of sight is refused in its own result.
    field: 'runMacro',
    line: command,
    args: { macro: ref('macro'), conversations: [ref('conversation', { hidden: 'ok' })], id: UNIQUE_WORD },
  },
  {
    // So is what is out of sight here. A user has three under way, and the matrix more.
    field: 'bulk',
    how: 'step',
    line: command,
    own: 'ANY',
    sub: 'ANY',
    args: {
      act: { step: { kind: 'LABELS', add: [ref('label', { reachesParent: true })] } },
      id: UNIQUE_WORD,
      conversations: [ref('conversation', { hidden: 'ANY' })],
    },
  },
  {
    field: 'bulk',
    how: 'macro',
    line: command,
    own: 'ANY',
    sub: 'ANY',
    args: { act: { macro: ref('macro') }, id: UNIQUE_WORD, conversations: [ref('conversation', { hidden: 'ANY' })] },
  },
  // Runs of the caller's own: test/conversations/bulk.test.ts.
  ...['bulkRun', 'cancelBulk', 'undoBulk'].map((field): Sample => ({
    field,
    line: command,
    own: 'NOT_FOUND',
    sub: 'NOT_FOUND',
    args: { id: '00000000-0000-7000-8000-000000000000' },
  })),
  { field: 'viewCounts', line: 'list conversations', args: { views: ['OPEN', 'CLOSED'] } },
  { field: 'unsnooze', line: command, args: { conversation } },
  { field: 'ratings', line: 'list ratings', args: {} },
  { field: 'rating', line: 'read ratings', args: { id: ref('rating') }, consumer: 'ok' },
  {
    field: 'answerSurvey',
    line: 'rate a case, as a consumer',
    own: 'FORBIDDEN',
    sub: 'FORBIDDEN',
    consumer: 'ok',
    args: { rating: ref('rating', { hidden: 'ANY' }), score: 5 },
  },
  {
    // The server of the matrix sends no mail.
    field: 'sendTranscript',
    line: 'mail a copy to the consumer',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    consumer: 'UNPROCESSABLE',
    args: { conversation: ref('conversation', { hidden: 'UNPROCESSABLE' }), to: 'x@example.com', code: '1' },
  },
  {
    field: 'requestTranscriptCode',
    line: 'mail a copy to the consumer',
    own: 'FORBIDDEN',
    sub: 'FORBIDDEN',
    consumer: 'UNPROCESSABLE',
    args: { conversation: ref('conversation', { hidden: 'FORBIDDEN' }), to: 'x@example.com' },
  },
  { field: 'markRead', line: 'mark as read', args: { conversation, message }, consumer: 'ok' },
  {
    // Only whoever has accepted it closes it, and brings it back.
    field: 'closeConversation',
    line: command,
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { conversation },
  },
  { field: 'undoClose', line: command, own: 'UNPROCESSABLE', sub: 'UNPROCESSABLE', args: { conversation } },
  {
    // No organization has a service to send by.
    field: 'retryDelivery',
    line: 'send a delivery again',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { id: ref('sending') },
  },
  {
    field: 'forwardMessage',
    line: 'forward a message',
    args: { message, to: ['supplier@example.net'] },
  },
  {
    field: 'resendMessage',
    line: 'send a delivery again',
    own: 'UNPROCESSABLE',
    sub: 'UNPROCESSABLE',
    args: { message, touchpoint: 'SMS' },
  },
  { field: 'smsSize', line: 'measure an SMS', args: { text: 'Hello' } },
  // Consumers only.
  {
    field: 'identifyGuest',
    line: 'say who one is, as a consumer',
    own: 'FORBIDDEN',
    consumer: 'ok',
    args: { profile: { name: 'mark-of-own' } },
  },
  {
    field: 'askForPerson',
    line: 'say who one is, as a consumer',
    own: 'FORBIDDEN',
    sub: 'FORBIDDEN',
    consumer: 'ok',
    args: { conversation: ref('conversation', { hidden: 'ANY' }) },
  },
  { field: 'drafts', line: 'keep own drafts', args: {}, isOfSelf: true },
  { field: 'saveDraft', line: 'keep own drafts', args: { conversation, text: 'mark-of-own' } },
  { field: 'pushKey', line: 'be notified in own browsers', args: {}, isOfSelf: true },
  { field: 'pushSubscriptions', line: 'be notified in own browsers', args: {}, isOfSelf: true },
  { field: 'subscribeToPush', line: 'be notified in own browsers', args: { input: BROWSER }, isOfSelf: true },
  {
    field: 'unsubscribeFromPush',
    line: 'be notified in own browsers',
    args: { endpoint: BROWSER.endpoint },
    isOfSelf: true,
  },
  // Two can be open in a conversation at a time.
  ...[
    { line: 'create message', message: {} } as const,
    { how: 'service', line: 'create message', message: { service } } as const,
    { how: 'user', line: 'send on behalf of others', message: { user: member } } as const,
  ].map(({ message: begun, ...sample }): Sample => {
    return { field: 'beginMessage', ...sample, own: 'ANY', sub: 'ANY', args: { conversation, message: begun } }
  }),
  // By bots, with the mark of a state: whoever is none is refused before anything is looked up.
  {
    field: 'propose',
    line: 'give a command (4.8)',
    own: 'ANY',
    sub: 'ANY',
    args: { conversation: ref('conversation', { hidden: 'ANY' }), message: {} },
  },
  // By people alone, where a bot listens.
  {
    field: 'requestProposal',
    line: 'give a command (4.8)',
    own: 'ANY',
    sub: 'ANY',
    args: { conversation: ref('conversation', { hidden: 'ANY' }), kind: 'REPLY' },
  },
  { field: 'canRequestProposal', line: 'give a command (4.8)', args: { conversation } },
  ...[
    { field: 'proposal', args: { id: UNIQUE_WORD } },
    { field: 'approveProposal', args: { proposal: UNIQUE_WORD, hash: 'x' } },
    { field: 'rejectProposal', args: { proposal: UNIQUE_WORD } },
    { field: 'takeProposal', args: { proposal: UNIQUE_WORD } },
  ].map((sample): Sample => {
    const none = 'NOT_FOUND'
    return { ...sample, line: 'give a command (4.8)', own: none, sub: none, isOfSelf: true }
  }),
  ...[
    { field: 'appendMessage', args: { id: UNIQUE_WORD, offset: 0, text: 'Hi' } },
    { field: 'finishMessage', args: { id: UNIQUE_WORD, length: 2 } },
    { field: 'stopMessage', args: { id: UNIQUE_WORD } },
  ].map((sample): Sample => {
    const none = 'NOT_FOUND'
    return { ...sample, line: 'create message', own: none, sub: none, consumer: none, isOfSelf: true }
  }),
  { field: 'setTyping', line: 'tell of typing', args: { conversation, typing: true }, consumer: 'ok' },
  {
    field: 'clickAction',
    line: 'speak as the consumer',
    consumer: 'ok',
    showsParent: true,
    args: { conversation, message, action: 0 },
  },
  { field: 'actionUri', line: 'open a link as oneself', args: { message, action: 1 } },
  { field: 'createGuestToken', line: 'make guest tokens', args: { conversation } },
  { field: 'report', line: 'read reports', args: { metrics: ['CREATED'], by: ['ORGANIZATION'], ...MARCH } },
  {
    field: 'report',
    how: 'filtered',
    line: 'read reports',
    args: { metrics: ['CREATED'], ...MARCH, filter: { channels: [ref('channel', SHOWS_NOTHING)] } },
  },
  { field: 'reportRows', line: 'read reports', args: { metric: 'CREATED', ...MARCH } },
  { field: 'myReport', line: 'read own reports', args: { metrics: ['HANDLED'], ...MARCH } },
  { field: 'search', line: 'search', args: { text: 'mark-of', types: ['CONVERSATION', 'CONTACT'], first: 5 } },
  {
    field: 'search',
    how: 'messages',
    line: 'search messages',
    args: { text: 'mark-of', types: ['MESSAGE'], first: 5 },
  },

  {
    field: 'conversation',
    how: 'live',
    line: 'watch a conversation',
    args: { id: conversation },
    consumer: 'ok',
    isLive: true,
  },
  { field: 'node', line: 'fetch conversation details', args: { id: conversation }, consumer: 'ok' },
  { field: 'nodes', line: 'fetch conversation details', args: { ids: [] }, consumer: 'ok' },
  { field: 'queue', line: 'watch queues and the inbox', args: {} },
  { field: 'queue', how: 'channels', line: 'watch queues and the inbox', args: { channels: [ref('channel')] } },
  { field: 'inbox', line: 'watch queues and the inbox', args: {} },
  { field: 'queue', line: 'watch queues and the inbox', args: {}, isLive: true },
  {
    field: 'queue',
    how: 'channels',
    line: 'watch queues and the inbox',
    args: { channels: [ref('channel')] },
    isLive: true,
  },
  { field: 'inbox', line: 'watch queues and the inbox', args: {}, isLive: true },
  { field: 'myConversations', line: 'watch queues and the inbox', args: {}, isLive: true },
  { field: 'wallboard', line: 'read reports', args: {}, isLive: true },
  {
    field: 'wallboard',
    how: 'channels',
    line: 'read reports',
    args: { channels: [ref('channel')] },
    isLive: true,
  },
]
