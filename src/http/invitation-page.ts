import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem }
label, input, button { display: block; width: 100%; box-sizing: border-box; margin: .5rem 0; font: inherit; padding: .4rem }
label { padding: 0 }`

/** Removes the token from the address bar at once, so that it is not in the browser's history. */
const SCRIPT = `
const token = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const form = document.querySelector('form')
const said = document.querySelector('[role=status]')
const query = 'mutation ($token: String!, $password: String!, $timezone: String) {' +
  ' acceptInvitation(token: $token, password: $password, timezone: $timezone) { user } }'
if (!token) said.textContent = 'This address is not complete: open the link in the mail.'
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const variables = { token, password: form.password.value, timezone }
  try {
    const response = await fetch('graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { errors } = await response.json()
    said.textContent = errors ? errors[0].message : 'Done. You can sign in with your email and this password now.'
    form.hidden = !errors
  } catch {
    said.textContent = 'The server did not answer. Try again.'
  }
})`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your invitation</title>
<style>${STYLE}</style>
<h1>Welcome</h1>
<form>
  <label for="password">Choose a password of at least 8 characters</label>
  <input id="password" name="password" type="password" minlength="8" maxlength="200" autocomplete="new-password" required>
  <button>Finish registration</button>
</form>
<p role="status"></p>
<script>${SCRIPT}</script>
</html>
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const POLICY = [
  `default-src 'none'`,
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  `connect-src 'self'`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/**
 * Adds the page to which an invitation's mail links (2.2, `invite`). The token is after `#`, so that no server gets it
 * in a URL.
 */
export function addInvitationPage(app: FastifyInstance): void {
  app.get('/invitation', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
  )
}
