import { describe, expect, it } from '@jest/globals'
import { agentView } from '../../src/modules/conversations/live/agent-states-source.js'
import { LatestChanges, ScreensChanges } from '../../src/modules/conversations/live/latest-changes.js'
import { channelStream, type StoredEvent } from '../../src/platform/events/event.js'

const [ONE, OTHER] = [crypto.randomUUID(), crypto.randomUUID()].toSorted() as [string, string]
const USER = crypto.randomUUID()

const changed = (stream: string, availability: string, version: number | undefined, channels: string[]): StoredEvent =>
  ({
    stream: channelStream(stream),
    type: 'agent.changed',
    data: { agent: { userId: USER, availability }, channels, version },
  }) as unknown as StoredEvent
const removed = (stream: string, version: number, channels: string[] = []): StoredEvent =>
  ({
    stream: channelStream(stream),
    type: 'agent.removed',
    data: { user: USER, from: [stream], channels, version },
  }) as unknown as StoredEvent

describe('what is told of one agent in several streams', () => {
  it('ends with what came last, in whatever order the streams are read', () => {
    const screens = new ScreensChanges()
    const show = agentView([ONE, OTHER], screens)
    // Removed from one channel, and added to the other one after that.
    expect(show(changed(OTHER, 'busy', 8, [OTHER]))).toMatchObject({ __typename: 'AgentStateChanged' })
    expect(show(removed(ONE, 7))).toBeNull()
    // Whoever comes later with the same channels knows it, too; a repeat is shown again.
    const later = agentView([OTHER, ONE], screens)
    expect(later(removed(ONE, 7))).toBeNull()
    expect(later(changed(OTHER, 'busy', 8, [OTHER]))).not.toBeNull()
    // A screen of the one channel is told that the agent has left it.
    const single = agentView([ONE], screens)
    expect(single(removed(ONE, 7))).toEqual({ __typename: 'AgentStateRemoved', userId: USER })
    expect(show(removed(OTHER, 9))).toMatchObject({ __typename: 'AgentStateRemoved' })
    // Events of an earlier release have no number.
    expect(show(changed(ONE, 'away', undefined, [ONE]))).not.toBeNull()
  })

  it('is kept for a minute', () => {
    let now = 0
    const latest = new LatestChanges(() => now)
    expect(latest.note(USER, 2)).toBe(true)
    expect(latest.note(USER, 1)).toBe(false)
    now = 60_000
    expect(latest.note('another', 1)).toBe(true)
    expect(latest.note(USER, 1)).toBe(true)
  })

  it('is shared by screens of the same channels alone', () => {
    const screens = new ScreensChanges()
    const both = screens.of([ONE, OTHER])
    expect(screens.of([OTHER, ONE])).toBe(both)
    expect(screens.of([ONE])).not.toBe(both)
    for (let count = 0; count < 200; count++) screens.of([crypto.randomUUID()])
    expect(screens.of([ONE, OTHER])).toBe(both)
  })
})
