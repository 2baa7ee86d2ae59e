import { expect } from '@jest/globals'
import { freePort } from '../../bench/chaos/free-port.js'
import { Victim } from '../../bench/chaos/victim.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { startConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'

interface Run {
  state: string
  total: number
  done: number
  skipped: number
  failed: number
}

const BULK = `mutation ($on: [ID!]!, $id: ID!, $label: ID!) {
  bulk(act: { step: { kind: LABELS, add: [$label] } }, id: $id, conversations: $on) { total } }`
const READ = 'query ($id: ID!) { bulkRun(id: $id) { state total done skipped failed } }'

/**
 * Labels conversations on two nodes while agents accept, write, close and delete them, kills the node that does the work in the
 * middle, and counts: each conversation has had one turn, and nothing was done twice. @returns the run at its end
 */
export async function bulkWhileKilled({
  conversations,
  agents,
}: {
  conversations: number
  agents: number
}): Promise<Run> {
  const fixture = await startConversationFixture()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'fatal', DATABASE_URL: fixture.databaseUrl }
  const victim = new Victim('test/support/node-process.mjs', env, `${url}/readyz`)
  let isWorking = true
  let working: Promise<void>[] = []
  try {
    const { body } = await fixture.rest(fixture.admin, 'POST', '/v2/labels', { name: 'Storm' })
    const label = body.id as string
    const on: string[] = []
    while (on.length < conversations) {
      const rest = Math.min(16, conversations - on.length)
      const made = await Promise.all(
        Array.from({ length: rest }, () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })),
      )
      on.push(...made.map(({ id }) => id))
    }
    const workers = await Promise.all(
      Array.from({ length: agents }, (_, nth) => fixture.makeAgent({ displayName: `Agent ${nth}` })),
    )
    await victim.start()
    const id = systemClock.newId()
    const token = await fixture.tokenFor(fixture.ann)
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: BULK, variables: { on, id, label } }),
    })
    expect(await response.json()).toEqual({ data: { bulk: { total: conversations } } })
    const read = async (): Promise<Run> => (await fixture.run<Run>(fixture.ann, READ, { id })).value
    // As long as it takes while it goes on: how fast it is, is not what is looked at.
    const goneOn = async (far: (run: Run) => boolean): Promise<Run> => {
      let run = await read()
      while (!far(run)) {
        const had = run.done + run.skipped + run.failed
        run = await until(read, (now) => far(now) || now.done + now.skipped + now.failed > had)
      }
      return run
    }
    const deleted = new Set<string>()
    const work = async (nth: number): Promise<void> => {
      const agent = workers[nth]!
      for (let turn = nth; isWorking; turn += agents) {
        const conversation = on[(turn * 7) % conversations]!
        // One of the first turns too, so that something is deleted however soon the run is done.
        if (turn % 20 === 1) {
          const gone = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', {
            id: conversation,
          })
          if (!gone.code) deleted.add(conversation)
          continue
        }
        await fixture.command(agent, conversation, '/accept')
        await fixture.send(agent, conversation, { role: 'AGENT', text: 'on it' })
        await fixture.command(agent, conversation, '/leave')
      }
    }
    working = workers.map((_, nth) => work(nth))
    await goneOn(({ done, skipped }) => done + skipped >= conversations / 4)
    await victim.kill()
    const run = await goneOn(({ state }) => state === 'DONE')
    isWorking = false
    await Promise.all(working)
    expect(run).toMatchObject({ total: conversations, failed: 0 })
    expect(run.done + run.skipped).toBe(conversations)
    const rows = await fixture.server.database.query<{
      outcome: string
      is_there: boolean
      labelled: number
      has: boolean
    }>(
      `select i.outcome, c.id is not null as is_there, coalesce(c.labels @> array[$2::uuid], false) as has,
         (select count(*)::int from milestone m where m.conversation_id = i.conversation_id and m.kind = 'labelled') as labelled
       from bulk_item i left join conversation c on c.id = i.conversation_id where i.run_id = $1`,
      [id, label],
    )
    expect(rows.length).toBe(conversations)
    for (const { outcome, is_there: isThere, has, labelled } of rows) {
      // Once, and in one transaction with its record; skipped is what was deleted before its turn.
      expect({ outcome, labelled }).toEqual({ outcome, labelled: outcome === 'done' ? 1 : 0 })
      if (isThere) expect({ outcome, has }).toEqual({ outcome: 'done', has: true })
    }
    expect(deleted.size).toBeGreaterThan(0)
    return run
  } finally {
    isWorking = false
    await Promise.allSettled(working)
    await victim.kill()
    await fixture.close()
  }
}
