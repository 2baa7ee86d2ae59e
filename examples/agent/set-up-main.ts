import { MeDocument } from '@switchboard/client/documents'
import { signIn } from '../accounts.js'
import { reasonOf, serverAddress } from '../server-address.js'
import { stop } from '../terminal.js'
import { setUpShop } from './set-up.js'

const url = serverAddress(process.env)

/** Prints the settings of the agent, and where to write to it. */
async function main(): Promise<void> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = process.env
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD)
    stop(`The agent is set up at ${url} by an administrator: give ADMIN_EMAIL and ADMIN_PASSWORD.`)
  const admin = await signIn(url, ADMIN_EMAIL, ADMIN_PASSWORD)
  const { me } = await admin.request(MeDocument, {})
  const { token, service, webService } = await setUpShop(admin, me.id)
  process.stdout.write(
    `BOT_TOKEN=${token}\nSERVICE=${service}\n# Write to it: ${url}/widget/demo?service=${webService}\n`,
  )
}

main().then(
  () => process.exit(0),
  (error: unknown) => stop(`The agent was not set up: ${reasonOf(error, url)}`),
)
