import type { Options } from 'chipchat'
import { freePort } from '../../bench/chaos/free-port.js'
import { until } from '../support/until.js'
import type { Client, World } from './world.js'

export const SECRET = 'a-shared-secret'

/** Starts a bot that listens by its own server, registered as a webhook. */
export async function listen(
  world: World,
  admin: Client,
  options: Options = {},
): Promise<{ bot: Client; service: string }> {
  const user = await world.server.makeUser({ organization: world.organization, role: 'bot', displayName: 'Marvin' })
  const bot = await world.client(user, { secret: SECRET, webhook: '/hook', ...options })
  const port = await freePort()
  await new Promise<void>((resolve) => {
    bot.on('ready', () => resolve())
    bot.start(port)
  })
  const url = `http://127.0.0.1:${port}/hook`
  const { id } = await admin.services.create({ name: 'Bot', type: 'webhook', params: { url, secret: SECRET } })
  await until(async () => (await admin.services.get(id)).status === 'active')
  return { bot, service: id }
}
