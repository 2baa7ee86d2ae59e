import { Forbidden } from '../errors.js'

/** Refuses a bot with a mask what would show what is masked for it, or replace that. */
export class BotMasked extends Forbidden {
  /** @param field path of the input that is refused, if it is one */
  constructor(message: string, field?: string) {
    super(message, { reason: 'BOT_MASKED', ...(field !== undefined && { field }) })
  }
}
