import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { standing, type StandingFacts } from '../../src/modules/staffing/standing.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

const facts: fc.Arbitrary<StandingFacts> = fc.record({
  availability: fc.constantFrom('available', 'busy', 'away', 'offline', 'notResponding', 'wrapUp'),
  isConnected: fc.boolean(),
  load: fc.integer({ min: 0, max: 20 }),
  capacity: fc.integer({ min: 0, max: 20 }),
})

describe('the standing of an agent', () => {
  it('is available only where a new conversation can be taken, and full only for want of a place', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { availability, isConnected, load, capacity } = given
        const canTake = availability === 'available' && isConnected && load < capacity
        expect(standing(given) === 'available').toBe(canTake)
        if (standing(given) === 'full') expect(standing({ ...given, load: 0, capacity: 1 })).toBe('available')
        // Pauses are the agent's own word: neither the connection nor the load changes it.
        if (standing(given) === 'paused')
          expect(standing({ ...given, isConnected: !isConnected, load: 0 })).toBe('paused')
      }),
    )
  })

  describe('over the API', () => {
    let fixture: ConversationFixture
    beforeAll(async () => {
      fixture = await startConversationFixture()
    })
    afterAll(() => fixture.close())

    const show = async (): Promise<[string, boolean]> => {
      const { value } = await fixture.run<{ standing: string; canTake: boolean }>(
        fixture.ann,
        '{ agentState { standing canTake } }',
      )
      return [value.standing, value.canTake]
    }
    const set = (availability: string) =>
      fixture.run(fixture.ann, `mutation { setAvailability(availability: ${availability}) { standing } }`)

    it('follows connection, state and load', async () => {
      expect(await show()).toEqual(['SIGNED_OUT', false])
      const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
      await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
      await until(show, ([word]) => word === 'NOT_WORKING')
      await set('AVAILABLE')
      expect(await show()).toEqual(['AVAILABLE', true])
      await fixture.run(
        fixture.admin,
        'mutation ($user: ID!) { updateStaff(user: $user, patch: { capacity: 0 }) { capacity } }',
        { user: fixture.ann.id },
      )
      expect(await show()).toEqual(['FULL', false])
      await set('AWAY')
      expect(await show()).toEqual(['PAUSED', false])
      await set('OFFLINE')
      await client.dispose()
      await until(show, ([word]) => word === 'SIGNED_OUT')
    })
  })
})
