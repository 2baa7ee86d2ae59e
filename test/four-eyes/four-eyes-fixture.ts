import type { MadeOrganization, MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'

export interface Change {
  id: string
  area: string
  operation: string
  objectType: string | null
  objectId: string | null
  objectName: string | null
  input: Record<string, unknown>
  status: string
  proposedById: string
  decidedById: string | null
  expiresAt: string
  comment: string | null
  token: string | null
}

export interface Outcome {
  // oxlint-disable-next-line typescript/no-explicit-any
  data: Record<string, any> | null
  code: string | null
  reason: string | null
  details: Record<string, unknown>
  message: string | null
}

export const CHANGE =
  'id area operation objectType objectId objectName input status proposedById decidedById expiresAt comment token'
const SET =
  'mutation ($i: SetFourEyesInput!) { setFourEyes(input: $i) { erasure hold retention signIn approvers version } }'
const APPROVE = `mutation ($id: ID!) { approveChange(id: $id) { ${CHANGE} } }`
const REFUSE = `mutation ($id: ID!, $c: String) { refuseChange(id: $id, comment: $c) { ${CHANGE} } }`
const WITHDRAW = `mutation ($id: ID!) { withdrawChange(id: $id) { ${CHANGE} } }`
const FETCH = `query ($id: ID!) { pendingChange(id: $id) { ${CHANGE} } }`

export interface FourEyesPlace {
  center: MadeOrganization
  /** Two administrators of the contact center. */
  ann: MadeUser
  bob: MadeUser
  run(as: MadeUser | string, query: string, variables?: Record<string, unknown>, on?: TestServer): Promise<Outcome>
  set(input: object, as?: MadeUser): Promise<Outcome>
  approve(id: string, as?: MadeUser | string, on?: TestServer): Promise<Outcome>
  refuse(id: string, as?: MadeUser, comment?: string): Promise<Outcome>
  withdraw(id: string, as?: MadeUser): Promise<Outcome>
  fetch(id: string): Promise<Change>
  /** Has it answered that a change waits, and returns its id. */
  proposed(outcome: Promise<Outcome> | Outcome): Promise<string>
  actions(object: string): Promise<string[]>
}

/** Makes a contact center with two administrators. */
export async function makeFourEyesPlace(app: TestServer, guarded: object | null): Promise<FourEyesPlace> {
  const center = await app.makeContactCenter()
  const ann = await app.makeUser({ organization: center, role: 'admin' })
  const bob = await app.makeUser({ organization: center, role: 'admin' })
  const run: FourEyesPlace['run'] = async (as, query, variables = {}, on = app) => {
    const { data, errors } = await on.gql(typeof as === 'string' ? as : await app.tokenFor(as), query, variables)
    const {
      code = null,
      reason = null,
      ...details
    } = (errors?.[0]?.extensions ?? {}) as { code?: string; reason?: string }
    return { data, code, reason, details, message: errors?.[0]?.message ?? null }
  }
  const place: FourEyesPlace = {
    center,
    ann,
    bob,
    run,
    set: (i, as = ann) => run(as, SET, { i }),
    approve: (id, as = bob, on) => run(as, APPROVE, { id }, on),
    refuse: (id, as = bob, c) => run(as, REFUSE, { id, c }),
    withdraw: (id, as = ann) => run(as, WITHDRAW, { id }),
    async fetch(id) {
      const { data, message } = await run(ann, FETCH, { id })
      if (!data?.pendingChange) throw new Error(`no change: ${message}`)
      return data.pendingChange as Change
    },
    async proposed(outcome) {
      const { data, reason, message, details } = await outcome
      if (reason !== 'APPROVAL_NEEDED') throw new Error(`not proposed: ${reason} ${message} ${JSON.stringify(data)}`)
      return details.pendingChange as string
    },
    async actions(object) {
      const rows = await app.server.database.query<{ action: string }>(
        `select action from audit_entry where object ->> 'id' = $1 order by id`,
        [object],
      )
      return rows.map(({ action }) => action)
    },
  }
  if (guarded) {
    const { message } = await place.set(guarded)
    if (message) throw new Error(message)
  }
  return place
}
