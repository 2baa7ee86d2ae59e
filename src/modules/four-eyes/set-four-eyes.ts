import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { ChangedMeanwhile, Forbidden, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { insertOwned, lockToCount } from '../organizations/owned-record.js'
import { Organization } from '../organizations/organization.js'
import { countApprovers } from './approvers.js'
import { AREAS, NOTHING_GUARDED, StoredFourEyes, type FourEyes, type SetFourEyesInput } from './four-eyes-settings.js'
import type { GuardedOperation } from './guarded-operation.js'
import { readFourEyes, readGuarded } from './read-four-eyes.js'

/** Sets the areas; where one is guarded no more, another administrator approves it. */
export const SET_FOUR_EYES: GuardedOperation<SetFourEyesInput, FourEyes> = {
  area: 'fourEyes',
  permission: 'fourEyes.update',
  act: setFourEyes,
  async propose(ctx, input) {
    const { path } = ctx.userCaller
    const { version } = await readGuarded(ctx, path[0])
    const object = { type: 'fourEyes', id: path[0], name: null }
    return { input: { ...input, ifVersion: input.ifVersion ?? version }, object }
  },
  async isGuarded(ctx, input) {
    const present = await readGuarded(ctx, ctx.userCaller.path[0])
    // A version to come would have it carried out at once, although the area is guarded by then.
    if (input.ifVersion != null) requireVersion(input.ifVersion, present.version)
    return AREAS.some((area) => present[area] && input[area] === false)
  },
}

/** @throws Forbidden below level 1; ChangedMeanwhile; Unprocessable where nobody else could approve */
async function setFourEyes(ctx: Context, transact: Transact, input: SetFourEyesInput): Promise<FourEyes> {
  const { path, user } = ctx.userCaller
  const [center] = path
  if (path.length > 1) {
    const message = 'an administrator of the organization of level 1 sets where two administrators are needed'
    throw new Forbidden(message, { reason: 'PERMISSION_MISSING' })
  }
  await transact(ctx, async (tx) => {
    await lockToCount(tx, center)
    const organization = await fetchRecord(ctx, Organization, center, { em: tx.em })
    const stored = await tx.em.findOne(StoredFourEyes, { organizationId: center })
    const version = stored?.version ?? 0
    if (input.ifVersion != null) requireVersion(input.ifVersion, version)
    const next = { ...NOTHING_GUARDED }
    for (const area of AREAS) {
      const before = stored?.[area] ?? false
      // What was guarded a moment ago only goes by an approved proposal, which names its version.
      const isKept = input[area] == null || (!input[area] && input.ifVersion == null)
      next[area] = isKept ? before : input[area]!
    }
    const isMore = AREAS.some((area) => next[area] && !stored?.[area])
    if (isMore && (await countApprovers(tx, path, user)) === 0) {
      const message = 'nobody else of this organization could approve a change: make another administrator first'
      throw new Unprocessable(message, { reason: 'WOULD_LOCK_OUT', organization: center })
    }
    const own = stored ?? (await insertOwned(ctx, tx, StoredFourEyes, { path: pathOf(organization), ...next }))
    if (stored) {
      tx.em.assign(stored, next)
      markChanged(stored, ctx.now())
    }
    emitFourEyes(tx, own)
    return { id: own.id }
  })
  return readFourEyes(ctx)
}

/** @throws ChangedMeanwhile */
function requireVersion(seen: number, version: number): void {
  if (seen === version) return
  const message = `the areas that need two administrators have the version ${version}, not ${seen}: read them again`
  throw new ChangedMeanwhile(message, version)
}

/** Tells others of a change, and the audit log. */
export function emitFourEyes(tx: Pick<WriteTx, 'emit'>, own: StoredFourEyes): void {
  const { id, organizationId: organization, erasure, hold, retention, signIn } = own
  tx.emit(organizationStream(organization), 'fourEyes.updated', { id, organization, erasure, hold, retention, signIn })
}
