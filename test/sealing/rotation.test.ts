import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { resealing } from '../../src/platform/sealing/reseal.js'
import { SEALED } from '../../src/platform/sealing/sealed-places.js'
import { Sealer } from '../../src/platform/sealing/sealer.js'
import { until } from '../support/until.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('seals anew all that opens beside secrets that were changed or whose key is gone, and names these once', async () => {
  const admin = await server.makeUser({ organization: await server.makeOrganization(), role: 'admin' })
  const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
  const ids: string[] = []
  for (const host of ['a', 'b', 'c', 'd']) {
    const input = { type: 'crm', isOwnType: true, params: { host } }
    ids.push((await server.gql(admin, create, { input })).data.createService.id)
  }
  const { database } = server.server
  const [old, lost, next] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const [changed, foreign, gone, good] = ids as [string, string, string, string]
  const seal = (key: Buffer, id: string): string => new Sealer([key]).seal(SEALED.service, id, `{"of":"${id}"}`)
  const stored: Readonly<Record<string, string>> = {
    [changed]: `${seal(old, changed).slice(0, -4)}AAAA`,
    // Of another row, as somebody who writes to the database puts it.
    [foreign]: seal(old, good),
    [gone]: seal(lost, gone),
    [good]: seal(old, good),
  }
  const read = async (): Promise<Record<string, string>> => {
    const rows = await database.query<{ id: string; sealed: string }>(
      'select id, sealed_params as sealed from service where id = any($1::uuid[])',
      [ids],
    )
    return Object.fromEntries(rows.map(({ id, sealed }) => [id, sealed]))
  }
  for (const [id, sealed] of Object.entries(stored))
    await database.query('update service set sealed_params = $2 where id = $1', [id, sealed])
  const warned: string[] = []
  const log = { info: () => undefined, warn: ({ err }: { err: Error }) => void warned.push(err.message) }
  const sealer = new Sealer([next, old])
  const task = resealing(sealer, log as never)
  const ofServices = (): string[] => warned.filter((message) => ids.some((id) => message.includes(id))).toSorted()
  // The server's own task may hold the rows for a moment: they are passed over then.
  await until(async () => {
    await task.run(database)
    return ofServices().length === 3 && (await read())[good] !== stored[good]
  })
  const { [good]: anew, ...others } = await read()
  expect(sealer.open(SEALED.service, good, anew!)).toBe(`{"of":"${good}"}`)
  expect(anew!.split('.')[1]).toBe(sealer.keyId)
  const { [good]: _, ...untouched } = stored
  expect(others).toEqual(untouched)
  expect(ofServices()).toHaveLength(3)
  for (const said of [`${changed} was changed`, `${foreign} was changed`, `${gone} is sealed with the key`])
    expect(warned).toContainEqual(expect.stringContaining(said))
  const before = warned.length
  await task.run(database)
  expect(warned).toHaveLength(before)
})
