import type { Touchpoint } from '../generated/live.js'

interface TouchpointTraits {
  /** Symbol of the sprite. */
  icon: string
  /** Place among the ways that a composer offers, from 1. */
  order: number
  /** True if what was sent cannot be called back, so that it waits for a moment in which it can. */
  isFinal: boolean
  /** True if Enter makes a new line, as in a letter, instead of sending. */
  isLetter?: true
  /** True if a text is counted in segments, each of which costs. */
  hasSegments?: true
}

/** Properties of the touchpoints that the pages need, besides their words; a way to the consumer that has no row does not compile. */
export const TOUCHPOINT_TRAITS: Readonly<Record<Touchpoint, TouchpointTraits>> = {
  WEB: { icon: 'web', order: 1, isFinal: false },
  MESSENGER: { icon: 'chat', order: 2, isFinal: false },
  EMAIL: { icon: 'mail', order: 3, isFinal: true, isLetter: true },
  SMS: { icon: 'phone', order: 4, isFinal: true, hasSegments: true },
}

/** The touchpoints in the order of their rows. */
export const TOUCHPOINTS = (Object.keys(TOUCHPOINT_TRAITS) as Touchpoint[]).toSorted(
  (a, b) => TOUCHPOINT_TRAITS[a].order - TOUCHPOINT_TRAITS[b].order,
)
