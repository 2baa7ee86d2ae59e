import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Files of the packages themselves, so that the page needs nothing from elsewhere. */
const ASSETS = {
  'react.js': 'react/umd/react.production.min.js',
  'react-dom.js': 'react-dom/umd/react-dom.production.min.js',
  'graphiql.js': 'graphiql/graphiql.min.js',
  'graphiql.css': 'graphiql/graphiql.min.css',
} as const

const FIRST_QUERY = `# Sign in: run this, and put the token into the Headers tab below, as
# { "authorization": "Bearer <token>" }. Subscriptions send the same header.
mutation SignIn {
  createToken(email: "admin@localhost", password: "") {
    token
    scope
  }
}

query Me {
  me {
    displayName
    role
    organization { name level }
  }
}

subscription Queue {
  queue {
    __typename
    ... on StreamEvent { cursor at }
    ... on QueueSnapshot { entries { name contactName preview } }
    ... on QueueEntryAdded { entry { name contactName preview } }
    ... on QueueEntryRemoved { conversation reason }
  }
}
`

/** Relative addresses: the page also works behind a proxy that serves it below a path. */
const SCRIPT = `
const url = new URL(location.pathname, location.href)
const socket = new URL(url)
socket.protocol = url.protocol.replace('http', 'ws')
const fetcher = GraphiQL.createFetcher({ url: url.href, subscriptionUrl: socket.href })
ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, {
  fetcher,
  defaultQuery: ${JSON.stringify(FIRST_QUERY)},
  defaultHeaders: '{ "authorization": "Bearer " }',
  shouldPersistHeaders: false,
}))`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Switchboard GraphiQL</title>
<link rel="stylesheet" href="graphql/assets/graphiql.css">
<style>body { margin: 0 } #graphiql { height: 100vh }</style>
<div id="graphiql">Loading</div>
<script src="graphql/assets/react.js"></script>
<script src="graphql/assets/react-dom.js"></script>
<script src="graphql/assets/graphiql.js"></script>
<script>${SCRIPT}</script>
</html>
`

const POLICY = [
  `default-src 'none'`,
  // The editor measures and places its lines by style attributes.
  `style-src 'self' 'unsafe-inline'`,
  `script-src 'self' 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  `connect-src 'self' ws: wss:`,
  `img-src 'self' data:`,
  `font-src 'self' data:`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/**
 * GraphiQL at `/graphql` for a browser that asks for a page; all other requests go on to GraphQL.
 * @returns false when the packages are not installed: then there is none.
 */
export function addGraphiql(app: FastifyInstance): boolean {
  const files = resolveAssets()
  if (!files) return false
  app.addHook('onRequest', async ({ method, url, headers }, reply) => {
    if (url !== '/graphql' || method !== 'GET' || !headers.accept?.includes('text/html')) return
    await reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE)
  })
  for (const [name, file] of files) {
    app.get(`/graphql/assets/${name}`, (_request, reply) => sendAsset(reply, file))
  }
  return true
}

function resolveAssets(): Map<string, string> | null {
  const { resolve } = createRequire(import.meta.url)
  try {
    return new Map(Object.entries(ASSETS).map(([name, path]) => [name, resolve(path)]))
  } catch {
    return null
  }
}

async function sendAsset(reply: FastifyReply, file: string): Promise<FastifyReply> {
  const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
  // They change with the server's version only.
  return reply.header('cache-control', 'max-age=3600').type(type).send(await readFile(file))
}
