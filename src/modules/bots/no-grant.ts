import { Forbidden } from '../../platform/errors.js'
import type { BotAction, BotMode } from './bot-grant.js'

/** A governed bot may not do this by itself in this conversation: nothing was written. */
export class NoGrant extends Forbidden {
  constructor(
    readonly action: BotAction,
    readonly mode: BotMode,
  ) {
    super(`the bot's grants have ${mode} for ${action} in this conversation, not act`, {
      reason: 'NO_GRANT',
      action,
      mode,
    })
  }
}
