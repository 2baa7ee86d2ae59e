import type { FastifyInstance } from 'fastify'
import { hashSource, pagePolicy } from '../../platform/content/page-policy.js'
import { ERROR_REASONS, ERRORS_PAGE } from '../../platform/error-reasons.js'
import { isDomainCode, statusOfCode } from '../../platform/errors.js'
import { asksForPage } from './browser-client.js'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1.5rem; background: light-dark(#f1f4f7, #111518); color: light-dark(#14181c, #e9edf0) }
section { padding: 0.75rem 1rem; border-top: 1px solid light-dark(#dde2e7, #2a3036) }
section:target { background: light-dark(#fff4c2, #3a3210) }
h2 { font: 600 1rem ui-monospace, monospace; margin: 0 }
p { margin: 0 }
`
const POLICY = pagePolicy([`style-src ${hashSource(STYLE)}`, "form-action 'none'", "trusted-types 'none'"])

const REASONS = Object.entries(ERROR_REASONS).map(([reason, [code, text]]) => ({
  reason,
  code,
  /** Null for what only `/graphql` refuses. */
  status: isDomainCode(code) ? statusOfCode(code) : null,
  text,
}))

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
const SECTIONS = REASONS.map(
  ({ reason, code, status, text }) =>
    `<section id="${reason}"><h2>${reason}</h2><p>${escaped(text)}</p><p><small>${code}, ${status === null ? 'of /graphql' : `${status} on /v2`}</small></p></section>`,
)
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Errors of Switchboard</title><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body>
<h1>Reasons of errors</h1>
<p>Each error has a <code>code</code>, and a <code>reason</code> that tells it from others with that code. Clients decide by these, never by the message.</p>
${SECTIONS.join('\n')}
</body>
</html>
`

/** Adds the page to which `docs` of every error leads: for browsers a page, for others the same as JSON. */
export function addErrorsPage(app: FastifyInstance): void {
  app.get(ERRORS_PAGE, async (request, reply) => {
    if (!asksForPage(request)) return REASONS
    return reply.headers({ 'content-security-policy': POLICY }).type('text/html; charset=utf-8').send(PAGE)
  })
}
