import type { Context } from '../../platform/context.js'
import { pathOf, type OrganizationPath } from '../../platform/db/tenancy.js'
import { ChangedMeanwhile, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { insertOwned } from '../organizations/owned-record.js'
import { Organization } from '../organizations/organization.js'
import { demandOf } from './demand-of.js'
import { refuseWithoutProvider } from './password-login.js'
import { parseRules } from './parse-rules.js'
import { StoredSignInPolicy, type SignInPolicy, type UpdateSignInPolicyInput } from './sign-in-policy.js'
import {
  factorDueSql,
  NO_RULES,
  ownRulesSql,
  rangesOf,
  readRulesOfPath,
  RULES,
  rulesOf,
  strictest,
  type SignInRules,
} from './sign-in-rules.js'

declare module '../../platform/events/event.js' {
  interface EventTypes {
    'signInPolicy.updated': SignInRules & { id: string; organization: string }
  }
}

/** Reads the policy of an organization, with what it inherits. @throws NotFound naming `organization` */
export async function readSignInPolicy(ctx: Context, named: string | null): Promise<SignInPolicy> {
  const organization = await fetchRecord(ctx, Organization, named ?? ctx.caller.organization, { field: 'organization' })
  const own = await ctx.em.findOne(StoredSignInPolicy, { organizationId: organization.id })
  return shown(organization.id, own, await readRulesOfPath(ctx.reads, pathOf(organization)))
}

/**
 * Changes rules of an organization. All nodes know of it within two seconds, and close the sockets of whom it keeps out.
 * @throws NotFound naming `organization`, BadUserInput, ChangedMeanwhile; Unprocessable for a rule that would have no effect, or would
 *   shut out the caller, or everybody of an organization below
 */
export async function updateSignInPolicy(
  ctx: Context,
  transact: Transact,
  named: string | null,
  patch: UpdateSignInPolicyInput,
): Promise<SignInPolicy> {
  const given = parseRules(patch)
  return transact(ctx, async (tx) => {
    const where = { field: 'organization', em: tx.em }
    const organization = await fetchRecord(ctx, Organization, named ?? ctx.caller.organization, where)
    const path = pathOf(organization)
    // Of two administrators at once, the second sees what the first has set, also above or below.
    await tx.query('select 1 from organization where id = $1 for no key update', [path[0]])
    const stored = await tx.em.findOne(StoredSignInPolicy, { organizationId: organization.id })
    requireVersion(organization.id, stored?.version ?? 0, patch.ifVersion)
    refuseWeaker(given, await readRulesOfPath(tx, path.slice(0, -1)))
    if (given.passwordLogin === false) {
      const author = ctx.userCaller.organization === organization.id ? ctx.userCaller.user : null
      await refuseWithoutProvider(tx, {
        organization: organization.id,
        path: path.filter((each) => each !== undefined),
        author,
      })
    }
    // Allowed and nobody are what holds without a rule.
    if (given.passwordLogin === true) given.passwordLogin = null
    const demand = demandOf(given, stored, ctx.now())
    const own = stored ?? (await insertOwned(ctx, tx, StoredSignInPolicy, { path, ...NO_RULES, ...given, ...demand }))
    if (stored) {
      tx.em.assign(stored, { ...given, ...demand })
      markChanged(stored, ctx.now())
      await tx.em.flush()
    }
    const policy = shown(organization.id, own, await readRulesOfPath(tx, path))
    refuseLockOut(ctx, policy)
    if (given.secondFactor !== undefined || given.graceDays !== undefined) await refuseLateAuthor(ctx, tx)
    await refuseNobody(tx, path)
    emitPolicy(tx, own)
    return policy
  })
}

/** Tells others of a change, and the audit log. */
export function emitPolicy(tx: Pick<WriteTx, 'emit'>, own: StoredSignInPolicy): void {
  tx.emit(organizationStream(own.organizationId), 'signInPolicy.updated', {
    id: own.id,
    organization: own.organizationId,
    ...rulesOf(own),
  })
}

function shown(organizationId: string, own: StoredSignInPolicy | null, effective: SignInRules): SignInPolicy {
  return {
    organizationId,
    own: own ? rulesOf(own) : NO_RULES,
    effective,
    version: own?.version ?? 0,
    updatedAt: own?.updatedAt ?? null,
  }
}

function requireVersion(organization: string, version: number, ifVersion: number | null | undefined): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === version) return
  throw new ChangedMeanwhile(
    `the sign-in policy of ${organization} has the version ${version}, not ${ifVersion}: it was changed meanwhile; read it again`,
    version,
  )
}

/** A rule that the organizations above make stricter anyway would have no effect. */
function refuseWeaker(given: Partial<SignInRules>, above: SignInRules): void {
  for (const field of RULES) {
    const [value, bound] = [given[field], above[field]]
    if (value == null || bound === null) continue
    const own = { ...NO_RULES, [field]: value } as SignInRules
    const both = strictest([own, { ...NO_RULES, [field]: bound } as SignInRules])[field]
    const hasEffect = Array.isArray(both) ? both.length > 0 : both === value
    if (hasEffect) continue
    throw new Unprocessable(`${field}: an organization above has the stricter rule ${String(bound)}`, {
      reason: 'STRICTER_ABOVE',
      field,
      above: bound,
    })
  }
}

/** The author enrols a second factor first, where the rule leaves no time for it: the session would end. */
async function refuseLateAuthor(ctx: Context, tx: WriteTx): Promise<void> {
  const { user, family = null } = ctx.userCaller
  const late = await tx.query(
    `select from app_user u where u.id = $1 and ${factorDueSql('u')} <= $3::timestamptz
       and not exists (select from token_family f where f.id = $2 and f.service_id is not null)`,
    [user, family, ctx.now()],
  )
  if (late.length === 0) return
  const why = 'secondFactor: you have none yourself, and no time to enrol one: enrol it first'
  throw new Unprocessable(why, { reason: 'WOULD_LOCK_OUT', field: 'secondFactor' })
}

/** The caller must be able to go on. Administrators come by a session: bots have no such rights. */
function refuseLockOut(ctx: Context, { organizationId, effective }: SignInPolicy): void {
  const ranges = rangesOf(effective.allowedNetworks)
  if (ctx.userCaller.organization !== organizationId || !ranges || ranges.has(ctx.address)) return
  const from = ctx.address ?? 'an unknown address'
  throw new Unprocessable(`allowedNetworks: you come from ${from}, which is in none of them`, {
    reason: 'WOULD_LOCK_OUT',
    field: 'allowedNetworks',
    network: ctx.address,
  })
}

/** Networks that have nothing in common with those of an organization below would keep everybody of it out. */
async function refuseNobody(tx: WriteTx, path: OrganizationPath): Promise<void> {
  const rows = await tx.query<{ organization: string; path: string[]; rules: SignInRules }>(
    `select organization_id as organization, array_remove(array[org1, org2, org3], null)::text[] as path,
       ${ownRulesSql('p')} as rules
     from sign_in_policy p where org1 = $1`,
    [path[0]],
  )
  const changed = path.at(-1)!
  for (const { organization, path: below } of rows) {
    if (!below.includes(changed)) continue
    const rules = strictest(rows.filter((row) => below.includes(row.organization)).map((row) => row.rules))
    const field = (['allowedNetworks', 'apiTokenNetworks'] as const).find((name) => rules[name]?.length === 0)
    if (field === undefined) continue
    throw new Unprocessable(`${field}: they have no network in common with those of organization ${organization}`, {
      reason: 'WOULD_LOCK_OUT',
      field,
      organization,
    })
  }
}
