import type { Logger } from 'pino'
import { StoredSignInPolicy } from '../../modules/sign-in-policy/sign-in-policy.js'
import { emitPolicy } from '../../modules/sign-in-policy/update-sign-in-policy.js'
import { User } from '../../modules/users/user.js'
import type { Config } from '../../platform/config.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { withDatabase } from '../backup/installation.js'
import { openDependencies } from '../dependencies.js'
import { Lifecycle } from '../lifecycle.js'

const USAGE = 'usage: npm run owner:unlock -- EMAIL'

/**
 * Removes the networks of the sign-in policies that hold for an owner, and that people sign in by a provider only: the way back for who is shut out, on the machine alone. Running
 * servers know of it within two seconds. @returns a message for the operator
 */
export async function unlockOwner(config: Config, log: Logger, args: readonly string[]): Promise<string> {
  const [email, ...more] = args
  if (email === undefined || more.length > 0) throw new Error(USAGE)
  return withDatabase(config, log, async (databaseUrl) => {
    const lifecycle = new Lifecycle()
    try {
      const { systemContext, transact } = await openDependencies({ config: { ...config, databaseUrl }, log, lifecycle })
      const ctx = systemContext('owner-unlock')
      return await transact(ctx, async (tx) => {
        const [found] = await tx.query<{ id: string }>(
          `select id from app_user where lower(email) = lower($1) and role = 'owner' and status <> 'archived'`,
          [email],
        )
        const owner = found && (await tx.em.findOne(User, { id: found.id }))
        if (!owner) throw new Error(`no owner has the email ${email}\n${USAGE}`)
        const path = pathOf(owner).filter((each) => each !== undefined)
        const policies = await tx.em.find(StoredSignInPolicy, { organizationId: { $in: path } })
        const limiting = policies.filter((policy) => policy.allowedNetworks !== null || policy.passwordLogin !== null)
        const lines = limiting.map(({ organizationId, allowedNetworks, passwordLogin }) => {
          const rules = [allowedNetworks?.join(', '), passwordLogin !== null && 'sign-in by a provider only']
          return `  ${organizationId}: ${rules.filter(Boolean).join('; ')}`
        })
        for (const policy of limiting) {
          policy.allowedNetworks = null
          policy.passwordLogin = null
          markChanged(policy, ctx.now())
        }
        await tx.em.flush()
        for (const policy of limiting) emitPolicy(tx, policy)
        tx.addAudit({
          action: 'ownerUnlock',
          object: { type: 'user', id: owner.id },
          organization: owner.organizationId,
          details: { removed: lines.map((line) => line.trim()) },
        })
        if (lines.length === 0) return `nothing of a sign-in policy keeps ${email} out`
        return [
          `${email} may sign in from anywhere, by a password too; these rules were removed, by organization:`,
          ...lines,
        ].join('\n')
      })
    } finally {
      await lifecycle.stop()
    }
  })
}
