import type { Context } from '../../platform/context.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import type { ChangedObject } from '../four-eyes/guarded-operation.js'
import {
  DELAY_MS,
  RetentionPolicy,
  type CreateRetentionPolicyInput,
  type UpdateRetentionPolicyInput,
} from './retention-policy.js'
import { createRetentionPolicy, deleteRetentionPolicy, updateRetentionPolicy } from './retention-writes.js'

interface Change {
  id: string
  patch: UpdateRetentionPolicyInput
}

export interface GuardedRetention {
  create: Guarded<CreateRetentionPolicyInput, RetentionPolicy>
  update: Guarded<Change, RetentionPolicy>
  delete: Guarded<{ id: string }, RetentionPolicy>
}

/** Has changes of retention policies wait for a second administrator where they are guarded. */
export function guardRetention(fourEyes: FourEyesGuard): GuardedRetention {
  return {
    create: fourEyes.guard('createRetentionPolicy', {
      area: 'retention',
      permission: 'retentionPolicy.create',
      act: createRetentionPolicy,
      propose: async (ctx, input) => ({
        input: { ...input, organization: input.organization ?? ctx.caller.organization },
        object: { type: 'retentionPolicy', id: null, name: input.subject },
      }),
      revived: (ctx, input) => ({ ...input, ...startOf(ctx, input) }),
    }),
    update: fourEyes.guard('updateRetentionPolicy', {
      area: 'retention',
      permission: 'retentionPolicy.update',
      act: updateRetentionPolicy,
      async propose(ctx, { id, patch: { startsAt, ...patch } }) {
        const policy = await fetchRecord(ctx, RetentionPolicy, id)
        // What a client sends back as it was read is no change, also not by the time of the approval.
        const isKept = startsAt === undefined || startsAt?.getTime() === policy.startsAt.getTime()
        return { input: { id, patch: isKept ? patch : { ...patch, startsAt } }, object: objectOf(policy) }
      },
      revived: (ctx, { id, patch }) => ({ id, patch: { ...patch, ...startOf(ctx, patch) } }),
    }),
    delete: fourEyes.guard('deleteRetentionPolicy', {
      area: 'retention',
      permission: 'retentionPolicy.delete',
      act: (ctx, transact, { id }) => deleteRetentionPolicy(ctx, transact, id),
      propose: async (ctx, input) => ({ input, object: objectOf(await fetchRecord(ctx, RetentionPolicy, input.id)) }),
    }),
  }
}

const objectOf = ({ id, subject, version }: RetentionPolicy): ChangedObject => ({
  type: 'retentionPolicy',
  id,
  name: subject,
  version,
})

/** A policy begins a day after it was approved at the earliest, however long that took. */
function startOf(ctx: Context, { startsAt }: { startsAt?: Date | null }): { startsAt?: Date } {
  if (startsAt == null) return {}
  const earliest = ctx.now().getTime() + DELAY_MS
  return { startsAt: new Date(Math.max(new Date(startsAt).getTime(), earliest)) }
}
