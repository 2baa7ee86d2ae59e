import { createOffice } from './seed/office.js'
import { reasonOf, serverAddress } from './server-address.js'
import { detail, done, heading, stop } from './terminal.js'

const url = serverAddress(process.env)

/**
 * Fills a running server with an office to look around in: three levels of organizations, agents, channels, rules, a form
 * and conversations. It says how to sign in. Each run makes another office.
 */
async function main(): Promise<void> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = process.env
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD) {
    stop(`The office is made at ${url} by its owner: give ADMIN_EMAIL and ADMIN_PASSWORD.
They are what the server was first started with; without any it printed them once.`)
  }
  const since = performance.now()
  const office = await createOffice(url, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })
  done('an office with agents, channels, rules and conversations', performance.now() - since)
  heading(`Sign in at ${url}/console, password ${office.password}`)
  for (const { email, role } of office.accounts) detail(`${email.padEnd(36)} ${role}`)
  heading('Be a consumer')
  detail(`${url}/widget/demo?service=${office.webService}`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => stop(`The office was not made: ${reasonOf(error, url)}`),
)
