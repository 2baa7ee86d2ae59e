import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  buildSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLInputType,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { rootFields, type Field } from '../permissions/documents.js'
import { graphqlTarget } from '../permissions/requests.js'
import { filled, type Sample } from '../permissions/sample.js'
import { CONVERSATION_SAMPLES } from '../permissions/samples-of-conversations.js'
import { RESOURCE_SAMPLES } from '../permissions/samples-of-resources.js'
import { makeWorld, SECRETS_KEY, type World } from '../permissions/world.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const samples = [...RESOURCE_SAMPLES, ...CONVERSATION_SAMPLES]
const mutations = rootFields(schema)
  .filter(({ root }) => root === 'mutation')
  .map(({ field }) => field)

let app: TestServer
let world: World
beforeAll(async () => {
  app = await startTestServer({
    GRAPHQL_COST_PER_MINUTE: '1000000000',
    GUEST_MESSAGES_PER_MINUTE: '1000000',
    SECRETS_KEY,
  })
  world = await makeWorld(app)
})
afterAll(() => app.close())

/** Values of each scalar that no input takes: a text that cannot be stored, an id that is none, and so on. */
const WRONG: Readonly<Record<string, unknown>> = { String: 'a\u0000b', ID: 'abc', Int: -1, Float: -1, JSON: 5 }

/** Texts that are compared with what is stored, or not looked at without another: nothing is said of them. */
const UNCHECKED = [
  'requestPasswordReset email',
  'updateUser patch.currentPassword',
  // The attachment has its own.
  'createFile input.fileType',
  'updateFile patch.fileType',
]

type Path = readonly (string | number)[]

interface Leaf {
  path: Path
  scalar: string
}

/** Finds the scalars of an argument that have a wrong value. */
function leavesOf(type: GraphQLInputType, path: Path, above: readonly string[] = []): Leaf[] {
  const bare = getNullableType(type)
  if (isListType(bare)) return leavesOf(bare.ofType, [...path, 0], above)
  if (!isInputObjectType(bare)) return bare.name in WRONG ? [{ path, scalar: bare.name }] : []
  if (above.includes(bare.name)) return []
  return Object.values(bare.getFields()).flatMap((field) =>
    leavesOf(field.type, [...path, field.name], [...above, bare.name]),
  )
}

/** Returns the value with another one at the path. An object that is missing on the way has what it requires. */
function withValue(type: GraphQLInputType, value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  const bare = getNullableType(type)
  if (key === undefined) return put
  if (isListType(bare)) {
    const [first, ...others] = (value ?? []) as unknown[]
    return [withValue(bare.ofType, first, rest, put), ...others]
  }
  if (!isInputObjectType(bare)) throw new Error(`${bare.name} has no member ${key}`)
  const given = (value ?? smallest(bare)) as Record<string, unknown>
  return { ...given, [key]: withValue(bare.getFields()[key]!.type, given[key], rest, put) }
}

const SMALLEST: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-01-01T00:00:00Z',
}

function smallest(type: GraphQLInputType): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) return []
  if (isEnumType(bare)) return bare.getValues()[0]!.name
  if (!isInputObjectType(bare)) return SMALLEST[bare.name] ?? (bare.name.startsWith('JSON') ? {} : 'x')
  const required = Object.values(bare.getFields()).filter(isRequiredInputField)
  return Object.fromEntries(required.map(({ name, type: own }) => [name, smallest(own)]))
}

/** The sample's arguments, or as few as there may be, with a wrong value. */
function argumentsOf(field: Field, sample: Sample | undefined, { path: [name, ...rest], scalar }: Leaf): object {
  const given = filled(sample?.args ?? {}, ({ ref }) => world.records.own[ref], world.self.admin) as object
  const least = field.args.filter(isRequiredArgument).map((each) => [each.name, smallest(each.type)])
  const args: Record<string, unknown> = { ...Object.fromEntries(least), ...given }
  const { type } = field.args.find((each) => each.name === name)!
  return { ...args, [name!]: withValue(type, args[name!], rest, WRONG[scalar]) }
}

/**
 * Tells whether the client wrote something at the path, which begins at an argument or within the input of one. Only the
 * last member may be absent, and only if it is what is missing.
 */
function isWritten(path: string, args: object, isMissing: boolean): boolean {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  return [args, ...Object.values(args)].some((from: unknown) => {
    let at = from
    for (const [index, key] of keys.entries()) {
      if (typeof at !== 'object' || at === null) return false
      if (!Object.hasOwn(at, key)) return isMissing && index === keys.length - 1
      at = (at as Record<string, unknown>)[key]
    }
    return true
  })
}

const textOf = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')

async function faultsOf(field: Field): Promise<string[]> {
  const target = graphqlTarget('mutation', field)
  const sample = samples.find((each) => each.field === field.name && target.fits(each))
  const caller = await app.tokenFor(world.admins[sample?.byCenter ? 'parent' : 'own'])
  const by = sample?.line === 'manage contact centers' ? (world.credentials.operator as string) : caller
  const faults: string[] = []
  for (const leaf of field.args.flatMap(({ name, type }) => leavesOf(type, [name]))) {
    const args = argumentsOf(field, sample, leaf)
    const request = target.request(args as Readonly<Record<string, unknown>>, 'admin')
    if (request.kind !== 'graphql') throw new Error('no mutation')
    const { errors } = await app.gql(by, request.query, request.variables)
    const name = `${field.name} ${textOf(leaf.path)}`
    if (!errors && leaf.scalar === 'String' && !UNCHECKED.includes(name)) faults.push(`${name}: accepted`)
    for (const { message, extensions } of errors ?? []) {
      const { code, reason } = extensions
      const at = extensions.field as string | undefined
      const isRight = at === undefined ? code !== 'BAD_USER_INPUT' : isWritten(at, args, reason === 'MISSING_VALUE')
      if (!isRight) faults.push(`${name}: ${code} ${reason} ${at}: ${message}`)
    }
  }
  return faults
}

describe('the field of an error', () => {
  it('is a path of the input as the client wrote it, whatever value of a mutation is wrong', async () => {
    const faults: string[] = []
    for (const field of mutations) faults.push(...(await faultsOf(field)))
    expect(faults).toEqual([])
  }, 600_000)
})
