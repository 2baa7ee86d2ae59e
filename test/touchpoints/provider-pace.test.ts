import { describe, expect, it } from '@jest/globals'
import { DeliveryFailed } from '../../src/modules/touchpoints/adapter.js'
import { ProviderPace } from '../../src/modules/touchpoints/provider-pace.js'

const limitsOf = (sender: number, person: number) => ({
  sender: { keyPrefix: 'pace-sender', points: sender, duration: 3_600 },
  person: { keyPrefix: 'pace-person', points: person, duration: 3_600 },
})

async function takenBy(pace: ProviderPace, turns: readonly [sender: string, person: string][]): Promise<boolean[]> {
  const taken: boolean[] = []
  for (const [sender, person] of turns) {
    taken.push(
      await pace.turn({ sender, person }, undefined).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(DeliveryFailed)
          // The delivery waits in the queue for so long.
          expect((error as DeliveryFailed).retryAfterMs).toBeGreaterThan(5_000)
          return false
        },
      ),
    )
  }
  return taken
}

describe('the pace of a provider', () => {
  it('is kept for each person of a sender', async () => {
    const pace = new ProviderPace(undefined, limitsOf(100, 2))
    const turns: [string, string][] = [
      ['one', 'eve'],
      ['one', 'eve'],
      ['one', 'eve'],
      ['one', 'dan'],
      ['two', 'eve'],
    ]
    expect(await takenBy(pace, turns)).toEqual([true, true, false, true, true])
  })

  it('is kept for a sender, whoever the persons are', async () => {
    const pace = new ProviderPace(undefined, limitsOf(2, 100))
    const turns: [string, string][] = [
      ['one', 'eve'],
      ['one', 'dan'],
      ['one', 'fay'],
      ['two', 'fay'],
    ]
    expect(await takenBy(pace, turns)).toEqual([true, true, false, true])
  })
})
