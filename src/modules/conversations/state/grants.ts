import type { BotAction, BotMode } from '../../bots/bot-grant.js'

/** The rights of an operation's caller in its conversation. */
export interface Grants {
  /** @param least the mode that is needed; default: `act`. @throws NoGrant for a governed bot that may not */
  require(action: BotAction, least?: BotMode): Promise<void>
  /**
   * Says that what the operation does needs no grant: it only reads, gives up, or was granted before.
   * @param least the mode that is enough for what it asks for all the same, once a person has approved it
   */
  pass(least?: BotMode): void
  /** Ends the operation. Whatever it changed without asking is all else: so what is written next year is refused by default. @throws NoGrant */
  settle(hasChanged: () => boolean): Promise<void>
}

/** The rights of people, guests, the server itself, and bots that nobody governs. */
export const UNGOVERNED: Grants = {
  require: () => Promise.resolve(),
  pass: () => undefined,
  settle: () => Promise.resolve(),
}
