import type { Logger } from 'pino'
import { PasswordLinks } from '../../modules/auth/password-links.js'
import { serverSecret } from '../../modules/auth/server-secret.js'
import type { Config } from '../../platform/config.js'
import { withDatabase } from '../backup/installation.js'
import { openDependencies } from '../dependencies.js'
import { Lifecycle } from '../lifecycle.js'
import { readCommand } from './commands.js'

/**
 * Runs a command of `npm run center` on the configured database, which running servers may be using: they learn of it as
 * of another node's change. @returns a message for the operator
 */
export async function runCenterCommand(config: Config, log: Logger, args: readonly string[]): Promise<string> {
  const command = readCommand(args)
  return withDatabase(config, log, async (databaseUrl) => {
    const lifecycle = new Lifecycle()
    try {
      const dependencies = await openDependencies({ config: { ...config, databaseUrl }, log, lifecycle })
      const { clock, database, sealer, systemContext, transact } = dependencies
      const secret = await serverSecret(database, sealer, 'invitations')
      const links = new PasswordLinks({ sql: database, secret, clock, publicUrl: config.publicUrl })
      return await command({ ctx: systemContext('center'), transact, links, sql: database })
    } finally {
      await lifecycle.stop()
    }
  })
}
