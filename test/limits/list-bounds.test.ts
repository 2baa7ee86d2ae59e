import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredInputField,
  type GraphQLInputType,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { rootFields, type Field, type Root } from '../permissions/documents.js'
import { filled, type Sample } from '../permissions/sample.js'
import { CONVERSATION_SAMPLES } from '../permissions/samples-of-conversations.js'
import { RESOURCE_SAMPLES } from '../permissions/samples-of-resources.js'
import { makeWorld, SECRETS_KEY, type World } from '../permissions/world.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { makeKey } from '../sso/saml-signer.js'

// Whatever list a client sends, there is a bound, and the refusal names the list: no list is read to its end first.
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const SAMPLES: readonly Sample[] = [...RESOURCE_SAMPLES, ...CONVERSATION_SAMPLES]
/** More than any list may have, and no more than a socket takes at once. */
const TOO_MANY = 1_201
const NOBODY = '01900000-0000-7000-8000-000000000000'

/** A list somewhere in the arguments of a field: `updateForm patch.fields.options`. */
interface Place {
  root: Root
  field: Field
  path: readonly string[]
  list: GraphQLInputType
}

/** Every list of an input type, and every argument that is one, where it is found first. */
function placesOf(): Map<string, Place> {
  const places = new Map<string, Place>()
  const walk = (
    coordinate: string,
    type: GraphQLInputType,
    at: Omit<Place, 'list'>,
    above: readonly string[],
  ): void => {
    const bare = getNullableType(type)
    if (isListType(bare)) {
      if (!places.has(coordinate)) places.set(coordinate, { ...at, list: bare.ofType as GraphQLInputType })
      return walk(coordinate, bare.ofType as GraphQLInputType, { ...at, path: [...at.path, '0'] }, above)
    }
    if (!isInputObjectType(bare) || above.includes(bare.name)) return
    for (const field of Object.values(bare.getFields()))
      walk(`${bare.name}.${field.name}`, field.type, { ...at, path: [...at.path, field.name] }, [...above, bare.name])
  }
  for (const { root, field } of rootFields(schema)) {
    // It takes less of a message than others do.
    if (field.name === 'beginMessage') continue
    for (const { name, type } of field.args) walk(`${field.name}(${name})`, type, { root, field, path: [name] }, [])
  }
  return places
}

/** A value of the type that has what it must have. */
function plainValue(type: GraphQLInputType): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) return [plainValue(bare.ofType as GraphQLInputType)]
  if (isEnumType(bare)) return bare.getValues()[0]!.name
  if (isInputObjectType(bare)) {
    const needed = Object.values(bare.getFields()).filter(isRequiredInputField)
    return Object.fromEntries(needed.map(({ name, type: of }) => [name, plainValue(of)]))
  }
  const values: Record<string, unknown> = { ID: NOBODY, Int: 1, Boolean: true, JSONObject: {}, DateTime: '2026-11-29' }
  return values[bare.name] ?? 'x'
}

/** The arguments with the list in its place, and what is needed around it. */
function withList({ field, path, list }: Place, args: Record<string, unknown>): Record<string, unknown> {
  const put = (type: GraphQLInputType, value: unknown, [key, ...rest]: readonly string[]): unknown => {
    const bare = getNullableType(type)
    if (key === undefined) {
      const [one = plainValue(list)] = Array.isArray(value) ? (value as unknown[]) : []
      return Array.from({ length: TOO_MANY }, () => one)
    }
    if (isListType(bare)) {
      const of = bare.ofType as GraphQLInputType
      return [put(of, (value as unknown[] | undefined)?.[0] ?? plainValue(of), rest)]
    }
    if (!isInputObjectType(bare)) throw new Error(`nothing is below ${String(bare)}`)
    const given = (value ?? plainValue(bare)) as Record<string, unknown>
    return { ...given, [key]: put(bare.getFields()[key]!.type, given[key], rest) }
  }
  const [name, ...rest] = path
  const argument = field.args.find((each) => each.name === name)!
  return { ...args, [name!]: put(argument.type, args[name!], rest) }
}

let app: TestServer
let world: World
const services = new Map<string, string>()
beforeAll(async () => {
  app = await startTestServer({ SECRETS_KEY })
  world = await makeWorld(app)
  for (const type of ['feed', 'events']) {
    const { body } = await app.rest(world.credentials.admin, 'POST', '/v2/services', { type, name: type })
    services.set(type, body.id as string)
  }
})
afterAll(() => app.close())

/** Sends the field as an administrator, with these of its arguments as variables. @returns its errors; none if it was done */
async function refusalsOf(
  { root, field }: Place,
  variables: Record<string, unknown>,
  sample?: Sample,
): Promise<unknown[]> {
  const given = field.args.filter(({ name }) => name in variables)
  const declared = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ')
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'
  const document = `${root} (${declared}) { ${field.name}(${passed})${selection} }`
  const isOfOperator = field.name === 'contactCenters'
  const caller = world.credentials[isOfOperator ? 'operator' : sample?.byCenter ? 'center' : 'admin']
  if (root !== 'subscription') return (await app.gql(caller, document, variables)).errors ?? []
  const client = liveClient(app.url, await app.tokenFor(caller as MadeUser))
  const subscription = subscribe(client, field.name, document, variables)
  await subscription.next().catch(() => undefined)
  await client.dispose()
  return subscription.errors.flat()
}

const PLACES = placesOf()

const MAILBOX = { address: 'a@example.com', host: 'imap.example.com', user: 'a', password: 'b' }
const OIDC = {
  input: { type: 'oidc', settings: { oidc: { issuer: 'https://idp.example.com', clientId: 'a', clientSecret: 'b' } } },
}
const samlWith = (certificate: string): object => {
  const address = 'https://idp.example.com'
  const saml = { issuer: address, signOnUrl: address, certificates: [certificate] }
  return { input: { type: 'saml', settings: { saml } } }
}
const SAML = samlWith(makeKey().certificate)
/** Arguments with which the list is possible, where the sample of the field has others. */
const AROUND: Readonly<Record<string, object>> = {
  'MessageInput.results': { input: { messages: [{ type: 'REPORT', text: 'found' }] } },
  'CreateConversationInput.participants': { input: { type: 'AGENT' } },
  'FormFieldInput.options': { input: { name: 'Boat', fields: [{ key: 'brand', type: 'SELECT' }] } },
  'CreateUserInput.scopes': { input: { email: 'bounded@example.com', role: 'BOT' } },
  'EventsSettingsInput.events': { input: { type: 'events' } },
  'MailboxSettingsInput.folders': { input: { type: 'mailbox', settings: { mailbox: MAILBOX } } },
  'OidcSettingsInput.domains': OIDC,
  'OidcSettingsInput.roleMap': OIDC,
  'OidcRoleInput.channels': OIDC,
  'OidcSettingsInput.scopes': OIDC,
  'SamlSettingsInput.certificates': samlWith('x'),
  'SamlSettingsInput.domains': SAML,
  'SamlSettingsInput.roleMap': SAML,
  'WebSettingsInput.allowedOrigins': { input: { type: 'web' } },
  'WebhookSettingsInput.events': { input: { type: 'webhook', settings: { webhook: { url: 'https://example.com' } } } },
}
/** Services of their own types, which those of the samples are not. */
const SERVICES: Readonly<Record<string, string>> = {
  eventFeed: 'feed',
  acknowledgeEvents: 'events',
  retryEvents: 'events',
}

/** Words of a refusal that names a bound. */
const BOUND = /at most|more than|the maximum is|\b1 to \d+/

it.each([...PLACES])('%s has a bound', async (name, place) => {
  const isOfSubscription = place.root === 'subscription'
  const sample = SAMPLES.find(({ field, isLive = false }) => field === place.field.name && isLive === isOfSubscription)
  const given = { ...sample?.args, ...AROUND[name] }
  const args = filled(given, ({ ref }) => world.records.own[ref], world.self.admin) as Record<string, unknown>
  const service = services.get(SERVICES[place.field.name] ?? '')
  const refusals = await refusalsOf(place, withList(place, { ...args, ...(service && { service }) }), sample)
  const code = expect.stringMatching(/^(BAD_USER_INPUT|UNPROCESSABLE)$/)
  expect(refusals).toMatchObject([{ message: expect.stringMatching(BOUND), extensions: { code } }])
})
