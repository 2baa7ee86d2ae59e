import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { listPath, threadPath, type AnyList } from '../route.js'
import type { ConsoleStore } from '../store/console-store.js'

/**
 * Goes on with the next conversation before the server answers; comes back if it refuses. What the agent has sent in this one
 * comes before the act, which a closing would overtake on a slow line; if it is not sent, the act is not done.
 */
export function leave(store: ConsoleStore, id: string, list: AnyList, run: () => Promise<unknown>): void {
  const next = store.nextAfter(id)
  navigate(next ? threadPath(next) : listPath(list))
  Promise.resolve(store.writing.outbox.peek()?.sent(id))
    .then((isSent) => {
      if (isSent === false) throw new Error(t().delivery.refused)
      return run()
    })
    .catch((error: Error) => {
      store.acts.say(id, error.message)
      navigate(threadPath(id))
    })
}
