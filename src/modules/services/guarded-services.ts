import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import type { ChangedObject } from '../four-eyes/guarded-operation.js'
import { givenParams } from './given-params.js'
import { createService, deleteService, keptParams, updateService, type ServiceWriteOptions } from './service-writes.js'
import { Service, type CreateServiceInput, type UpdateServiceInput } from './service.js'

interface Change {
  id: string
  patch: UpdateServiceInput
}

export interface GuardedServices {
  create: Guarded<CreateServiceInput, Service>
  update: Guarded<Change, Service>
  delete: Guarded<{ id: string }, boolean>
}

/** Has changes of the services by which people sign in wait for a second administrator where they are guarded. */
export function guardServices(fourEyes: FourEyesGuard, options: ServiceWriteOptions): GuardedServices {
  const { kinds } = options
  const isForSignIn = (...types: (string | null | undefined)[]): boolean =>
    types.some((type) => type != null && kinds.get(type)?.isForSignIn === true)
  const shownInput = (input: CreateServiceInput | UpdateServiceInput, type: string): object => {
    const { params: _params, settings: _settings, ...shown } = input
    const { params } = givenParams(input)
    return { ...shown, ...(params && { params: keptParams(params, kinds.get(type)) }) }
  }
  return {
    create: fourEyes.guard('createService', {
      area: 'signIn',
      permission: 'service.create',
      act: (ctx, transact, input) => createService(ctx, { ...options, transact }, input),
      isGuarded: (_ctx, { type }) => isForSignIn(type),
      propose: async (ctx, input) => ({
        input: { ...input, organization: input.organization ?? ctx.caller.organization },
        object: { type: 'service', id: null, name: input.name ?? input.type },
        shown: shownInput(input, input.type),
      }),
    }),
    update: fourEyes.guard('updateService', {
      area: 'signIn',
      permission: 'service.update',
      act: (ctx, transact, change) => updateService(ctx, { ...options, transact }, change),
      isGuarded: async (ctx, { id, patch }) => isForSignIn(patch.type, (await fetchRecord(ctx, Service, id)).type),
      async propose(ctx, input) {
        const { id, patch } = input
        const service = await fetchRecord(ctx, Service, id)
        return { input, object: objectOf(service), shown: { id, patch: shownInput(patch, patch.type ?? service.type) } }
      },
    }),
    delete: fourEyes.guard('deleteService', {
      area: 'signIn',
      permission: 'service.delete',
      act: (ctx, transact, { id }) => deleteService(ctx, { ...options, transact }, id),
      isGuarded: async (ctx, { id }) => isForSignIn((await fetchRecord(ctx, Service, id)).type),
      propose: async (ctx, input) => ({ input, object: objectOf(await fetchRecord(ctx, Service, input.id)) }),
    }),
  }
}

const objectOf = ({ id, name, type, version }: Service): ChangedObject => ({
  type: 'service',
  id,
  name: name ?? type,
  version,
})
