import { getDistDirectory, isSandboxFrame, renderAltair, SANDBOX_FRAME_CSP } from 'altair-static'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { PAGE_SCRIPT } from './browser-client-script.js'
import { POLICY_REPORTS } from '../../platform/content/page-policy.js'

/** A GraphQL client for browsers (Altair), served from its package's files: it loads nothing from elsewhere. */
export interface BrowserClient {
  /** @param host of the request, as the browser addresses this server */
  page(host: string, isSecure: boolean): { html: string; headers: Readonly<Record<string, string>> }
  /** Returns a file below `FILES_PATH`; null when there is none. */
  file(path: string): Promise<ClientFile | null>
}

export interface ClientFile {
  type: string
  etag: string
  plain: Buffer
  gzipped: Buffer
  headers: Readonly<Record<string, string>>
}

const GRAPHQL_PATH = '/graphql'
export const FILES_PATH = '/graphql/client/'
const SANDBOX_FILES = 'iframe-sandbox/'
/** A host that may appear in a page, as the only part of the request. */
const HOST = /^[\w.:[\]-]{1,255}$/

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** The documents of a first hour, a tab each. */
const TABS = [
  {
    initialName: 'Sign in',
    initialQuery: `# Put in your email and password, and send: the other tabs are signed in then.
mutation SignIn {
  createToken(email: "", password: "") {
    token
    expiresAt
  }
}
`,
  },
  {
    initialName: 'Me',
    initialQuery:
      'query Me {\n  me {\n    id\n    displayName\n    role\n    channels {\n      id\n      name\n    }\n  }\n}\n',
  },
  {
    initialName: 'The queue, live',
    initialQuery: `subscription Queue {
  queue {
    __typename
    ... on StreamEvent {
      cursor
    }
    ... on QueueSnapshot {
      entries {
        ...Entry
      }
    }
    ... on QueueEntryAdded {
      entry {
        ...Entry
      }
    }
    ... on QueueEntryRemoved {
      conversation
      reason
    }
  }
}

fragment Entry on QueueEntry {
  id
  conversation
  name
  contactName
  preview
}
`,
  },
  {
    initialName: 'A conversation, live',
    initialQuery: `# Put in the id of a conversation: the queue shows some.
subscription Conversation {
  conversation(id: "") {
    __typename
    ... on StreamEvent {
      cursor
    }
    ... on ConversationSnapshot {
      conversation {
        name
        status
      }
      messages {
        id
        text
      }
    }
    ... on MessageAdded {
      message {
        id
        role
        text
      }
    }
  }
}
`,
  },
  {
    initialName: 'Send',
    initialQuery: `# Put in the id of a conversation, and what to say. The tab beside shows it live.
mutation Send {
  sendMessage(conversation: "", message: { type: CHAT, role: AGENT, text: "Hello" }) {
    id
    position
  }
}
`,
  },
]

/** Lists the package's files; each is read and compressed on first use. */
export async function loadBrowserClient(): Promise<BrowserClient> {
  const directory = getDistDirectory()
  const files = new Map<string, string>()
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && extname(path) in TYPES) files.set(relative(directory, path).split(sep).join('/'), path)
  }
  const read = new Map<string, Promise<ClientFile>>()
  return {
    page,
    async file(name) {
      const path = files.get(name)
      if (path === undefined) return null
      let file = read.get(name)
      if (!file) read.set(name, (file = readClientFile(name, path)))
      return file
    },
  }
}

async function readClientFile(name: string, path: string): Promise<ClientFile> {
  const plain = await readFile(path)
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`
  const headers = {
    'cache-control': 'public, max-age=3600',
    // Scripts of the user run in a frame of the client's own.
    // That frame has an origin of its own: what it loads is another's to it.
    ...(name.startsWith(SANDBOX_FILES) && { 'access-control-allow-origin': '*' }),
    ...(isSandboxFrame(name) && { 'content-security-policy': SANDBOX_FRAME_CSP, 'x-frame-options': 'SAMEORIGIN' }),
  }
  return { type: TYPES[extname(path)]!, etag, plain, gzipped: await promisify(gzip)(plain), headers }
}

function page(host: string, isSecure: boolean): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64')
  const authority = HOST.test(host) ? host : 'localhost'
  // The client takes whole addresses alone: another is "invalid" when something is sent to it.
  const endpointURL = `${isSecure ? 'https' : 'http'}://${authority}${GRAPHQL_PATH}`
  const subscriptionsEndpoint = `${isSecure ? 'wss' : 'ws'}://${authority}${GRAPHQL_PATH}`
  const html = renderAltair({
    baseURL: FILES_PATH,
    cspNonce: nonce,
    endpointURL,
    subscriptionsEndpoint,
    initialSubscriptionRequestHandlerId: 'graphql-ws',
    initialWindows: TABS.map((tab) => ({
      ...tab,
      endpointURL,
      subscriptionsEndpoint,
      initialSubscriptionRequestHandlerId: 'graphql-ws' as const,
    })),
    // It has no account with anybody, and advertises nothing.
    disableAccount: true,
    initialSettings: {
      'banners.disable': true,
      'alert.disableUpdateNotification': true,
      disablePushNotification: true,
      'schema.reloadOnStart': true,
    },
  })
  // The client writes HTML of its own, without trusted types; its style is inline.
  const policy = [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `worker-src 'self' blob:`,
    `connect-src 'self' ${isSecure ? 'wss' : 'ws'}://${authority}`,
    `object-src 'none'`,
    `base-uri 'self'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `report-uri ${POLICY_REPORTS}`,
  ].join('; ')
  const script = `<script nonce="${nonce}">${PAGE_SCRIPT}</script>`
  return {
    html: html.replace('</head>', () => `${script}</head>`),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
    },
  }
}
