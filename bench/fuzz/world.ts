import type { Records } from './records.js'

export interface Caller {
  token: string
  headers: Readonly<Record<string, string>>
}

/** One record of each kind: each by itself, so that what one of them lacks is not what the others lack. */
const MADE = [
  'createChannel(input: { name: "A" }) { __typename id }',
  `createWorkflow(input: { name: "W", rules: [{ conditions: { all: [] }, event: { type: "notify", params: {} } }] }) {
    __typename id rules { __typename id } }`,
  'createContact(input: { profile: { name: "C", email: $email } }) { __typename id }',
  'createOrganizationGroup(input: { name: "G" }) { __typename id }',
  'createLocation(input: { name: "L" }) { __typename id }',
  'createArticle(input: { title: "T" }) { __typename id }',
  'createService(input: { name: "S", type: "web", params: {} }) { __typename id }',
  `createConversation(input: { touchpoint: WEB, contact: { profile: { name: "D", email: $email } }, messages: [
    { role: CONTACT, text: "hi" }, { role: AGENT, text: "hello", actions: [{ type: REPLY, text: "Yes", payload: "y" }] }] }) {
    __typename id organization { __typename id } contact { __typename id } lastMessage { __typename id } }`,
]

/** Parts of the requests, of which the others get one each. */
const OF_ADMIN = 12

let count = 0

/** Makes one record of each kind, as the first caller. @returns the callers, a guest among them, and nobody */
export async function makeWorld(url: string, tokens: readonly string[], records: Records): Promise<Caller[]> {
  const callers = tokens.map(callerOf)
  const ask = async (
    query: string,
    variables: object,
    headers = callers[0]!.headers,
  ): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    const { data } = (await response.json()) as { data?: Record<string, unknown> }
    return data ?? {}
  }
  count += 1
  for (const [index, field] of MADE.entries()) {
    const email = `fuzz-${process.pid}-${count}-${index}@example.com`
    const declared = field.includes('$email') ? '($email: String!)' : ''
    records.harvest(await ask(`mutation ${declared} { ${field} }`, { email }))
  }
  records.harvest(await ask('{ users { edges { node { __typename id } } } }', {}))
  const made = await ask('mutation { createService(input: { name: "S", type: "web", params: {} }) { id } }', {})
  // Null where the server refuses for now: what it did to the world is counted with the requests.
  const service = made.createService as { id: string } | null
  const started = service
    ? await ask('mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } } }', { s: service.id }, {})
    : {}
  const guest = (started.startGuestSession as { tokens: { token: string } } | null | undefined)?.tokens.token
  // Mostly those who may: what is refused for lack of rights never comes far.
  const [admin] = callers
  const others = [...callers.slice(1), ...(guest ? [callerOf(guest)] : []), { token: '', headers: {} }]
  return [...Array<Caller>(OF_ADMIN).fill(admin!), ...others]
}

function callerOf(token: string): Caller {
  return { token, headers: { authorization: `Bearer ${token}` } }
}
