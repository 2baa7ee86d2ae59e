import { LockMode } from '@mikro-orm/core'
import type { Logger } from 'pino'
import { AREAS, NOTHING_GUARDED, StoredFourEyes } from '../../modules/four-eyes/four-eyes-settings.js'
import { emitFourEyes } from '../../modules/four-eyes/set-four-eyes.js'
import { StoredSignInPolicy } from '../../modules/sign-in-policy/sign-in-policy.js'
import { emitPolicy } from '../../modules/sign-in-policy/update-sign-in-policy.js'
import { resetSecondFactor } from '../../modules/users/remove-factors.js'
import { User } from '../../modules/users/user.js'
import type { Config } from '../../platform/config.js'
import { pathOf } from '../../platform/db/tenancy.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { withDatabase } from '../backup/installation.js'
import { openDependencies } from '../dependencies.js'
import { Lifecycle } from '../lifecycle.js'

const FACTORS = '--factors'
const FOUR_EYES = '--four-eyes'
const USAGE = 'usage: npm run owner:unlock -- EMAIL [--factors | --four-eyes]'

/**
 * Removes the networks of the sign-in policies that hold for an owner, and that people sign in by a provider only: the way back for who is shut out, on the machine alone. Running
 * servers know of it within two seconds. With `--factors`, removes the second factor in their place, and ends the owner's sessions; with
 * `--four-eyes`, ends that changes wait for a second administrator, where there is none any more.
 * @returns a message for the operator
 */
export async function unlockOwner(config: Config, log: Logger, args: readonly string[]): Promise<string> {
  const flags = args.filter((each) => each === FACTORS || each === FOUR_EYES)
  const [email, ...more] = args.filter((each) => each !== FACTORS && each !== FOUR_EYES)
  if (email === undefined || more.length > 0 || flags.length > 1) throw new Error(USAGE)
  const unlock = flags[0] === FACTORS ? removeSecondFactor : flags[0] === FOUR_EYES ? endFourEyes : removeRules
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
        const owner = found && (await tx.em.findOne(User, { id: found.id }, { lockMode: LockMode.PESSIMISTIC_WRITE }))
        if (!owner) throw new Error(`no owner has the email ${email}\n${USAGE}`)
        const { removed, message } = await unlock(tx, owner, ctx.now())
        tx.addAudit({
          action: 'ownerUnlock',
          object: { type: 'user', id: owner.id },
          organization: owner.organizationId,
          details: { removed },
        })
        return message
      })
    } finally {
      await lifecycle.stop()
    }
  })
}

interface Unlocked {
  /** For the audit log. */
  removed: string[]
  message: string
}

async function removeRules(tx: WriteTx, owner: User, now: Date): Promise<Unlocked> {
  const path = pathOf(owner).filter((each) => each !== undefined)
  const policies = await tx.em.find(StoredSignInPolicy, { organizationId: { $in: path } })
  const limiting = policies.filter((policy) => policy.allowedNetworks !== null || policy.passwordLogin !== null)
  const removed = limiting.map(({ organizationId, allowedNetworks, passwordLogin }) => {
    const rules = [allowedNetworks?.join(', '), passwordLogin !== null && 'sign-in by a provider only']
    return `${organizationId}: ${rules.filter(Boolean).join('; ')}`
  })
  for (const policy of limiting) {
    policy.allowedNetworks = null
    policy.passwordLogin = null
    markChanged(policy, now)
  }
  await tx.em.flush()
  for (const policy of limiting) emitPolicy(tx, policy)
  if (removed.length === 0) return { removed, message: `nothing of a sign-in policy keeps ${owner.email} out` }
  const message = [
    `${owner.email} may sign in from anywhere, by a password too; these rules were removed, by organization:`,
    ...removed.map((line) => `  ${line}`),
  ].join('\n')
  return { removed, message }
}

async function removeSecondFactor(tx: WriteTx, owner: User, now: Date): Promise<Unlocked> {
  const { email } = owner
  if (!(await resetSecondFactor(tx, owner, now))) return { removed: [], message: `${email} has no second factor` }
  return {
    removed: ['second factor'],
    message: `${email} signs in by the password alone: app, passkeys and recovery codes were removed, and all sessions ended`,
  }
}

async function endFourEyes(tx: WriteTx, owner: User, now: Date): Promise<Unlocked> {
  const stored = await tx.em.findOne(StoredFourEyes, { organizationId: owner.org1 })
  const removed = AREAS.filter((area) => stored?.[area])
  if (!stored || removed.length === 0)
    return { removed: [], message: `nothing needs a second administrator in the contact center of ${owner.email}` }
  tx.em.assign(stored, NOTHING_GUARDED)
  markChanged(stored, now)
  emitFourEyes(tx, stored)
  return { removed, message: `one administrator is enough again, in these areas: ${removed.join(', ')}` }
}
