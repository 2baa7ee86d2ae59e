import type { FastifyInstance } from 'fastify'
import { hashSource, pagePolicy } from '../../platform/content/page-policy.js'
import { asksForPage } from './browser-client.js'

const LINKS = [
  ['/console', 'Console', 'for agents and administrators'],
  ['/graphql', 'GraphQL', 'in a browser: a client to try it'],
  ['/v2/docs', 'REST', 'every endpoint of /v2; as OpenAPI at /v2/openapi.json'],
  ['/docs/', 'Documentation', 'guides, operating, architecture; for programs at /llms.txt'],
  ['/schema.graphql', 'Schema', 'of GraphQL, with a description of everything'],
  ['/docs/errors', 'Errors', 'what each reason means, and what to do'],
  ['/healthz', 'Health', 'whether the server is alive; /readyz whether it is ready'],
] as const

const ROWS = LINKS.map(([href, name, says]) => `<li><a href="${href}">${name}</a> ${says}</li>`).join('\n')
const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; background: light-dark(#f1f4f7, #111518); color: light-dark(#14181c, #e9edf0) }
h1 { font-size: 1.75rem; letter-spacing: -0.015em; margin: 0 }
ul { list-style: none; padding: 0; border: 1px solid light-dark(#dde2e7, #2a3036); border-radius: 0.75rem; background: light-dark(#fff, #181d21) }
li { padding: 0.75rem 1rem }
li + li { border-top: 1px solid light-dark(#dde2e7, #2a3036) }
a { display: block; font-weight: 600; color: light-dark(#005f99, #6bb6ea) }
`
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Switchboard</title><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body>
<h1>Switchboard</h1>
<ul>
${ROWS}
</ul>
</body>
</html>
`

/** The page's own style is all that it may load. */
const POLICY = pagePolicy([`style-src ${hashSource(STYLE)}`, "form-action 'none'", "trusted-types 'none'"])

/** Adds `/`, `/api` and `/v2`: where everything is, as a page for browsers and as JSON for others. */
export function addHomePage(app: FastifyInstance): void {
  const links = Object.fromEntries(LINKS.map(([href, name]) => [name.toLowerCase(), href]))
  for (const path of ['/', '/api', '/v2']) {
    app.get(path, async (request, reply) => {
      if (!asksForPage(request)) return links
      return reply.headers({ 'content-security-policy': POLICY }).type('text/html; charset=utf-8').send(PAGE)
    })
  }
}
