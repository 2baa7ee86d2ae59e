import type { FastifyInstance } from 'fastify'
import { asksForPage } from './browser-client.js'

const LINKS = [
  ['/console', 'Console', 'for agents and administrators'],
  ['/graphql', 'GraphQL', 'in a browser: a client to try it'],
  ['/v2/docs', 'REST', 'every endpoint of /v2; as OpenAPI at /v2/openapi.json'],
  ['/healthz', 'Health', 'whether the server is alive; /readyz whether it is ready'],
] as const

const ROWS = LINKS.map(([href, name, says]) => `<li><a href="${href}">${name}</a> ${says}</li>`).join('\n')
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Switchboard</title><meta name="viewport" content="width=device-width"></head>
<body>
<h1>Switchboard</h1>
<ul>
${ROWS}
</ul>
</body>
</html>
`

/** Adds `/`: where everything is, as a page for browsers and as JSON for others. */
export function addHomePage(app: FastifyInstance): void {
  const links = Object.fromEntries(LINKS.map(([href, name]) => [name.toLowerCase(), href]))
  app.get('/', async (request, reply) => {
    if (!asksForPage(request)) return links
    return reply
      .headers({ 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" })
      .type('text/html; charset=utf-8')
      .send(PAGE)
  })
}
