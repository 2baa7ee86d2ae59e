import { RefreshTalkDocument, StartTalkDocument, type StartTalkMutationVariables } from '../../generated/widget.js'
import { passes, request } from './request.js'
import type { Storage } from './storage.js'

/** A visitor's own conversation and the way back to it. */
export interface Session {
  contactId: string
  conversationId: string
  token: string
  refreshToken: string
}

interface StartAnswer {
  contactId: string
  conversationId: string
  tokens: { token: string; refreshToken: string }
}

/**
 * The guest's tokens, shared by the tabs of the page. A refresh token is spent by its use, and a spent one ends the
 * sign-in as a theft: one tab at a time uses it, and each looks first whether another has done so.
 */
export class Sessions {
  constructor(
    private readonly server: string,
    private readonly storage: Storage,
  ) {}

  get current(): Session | null {
    return this.storage.read<Session>('')
  }

  /** This browser's session, or a new one. */
  start(variables: StartTalkMutationVariables): Promise<Session> {
    return this.inTurn('start', async () => {
      const present = this.current
      if (present) return present
      const { startGuestSession } = await request(this.server, null, StartTalkDocument, variables)
      return this.#keep(startGuestSession)
    })
  }

  /** @param refused the token that the server did not take. @returns null once there is no way back */
  renew(refused: string): Promise<Session | null> {
    return this.inTurn('renew', async () => {
      const session = this.current
      if (!session || session.token !== refused) return session
      const { refreshToken, contactId: clientId } = session
      try {
        const { refreshToken: tokens } = await request(this.server, null, RefreshTalkDocument, {
          refreshToken,
          clientId,
        })
        return this.#keep({ ...session, tokens })
      } catch (error) {
        if (passes(error)) throw error
        this.storage.write('', null)
        return null
      }
    })
  }

  /** One tab at a time, where the browser has locks. */
  inTurn<T>(what: string, run: () => Promise<T>): Promise<T> {
    const { locks } = navigator
    return locks ? (locks.request(this.storage.key(what), run) as Promise<T>) : run()
  }

  #keep({ contactId, conversationId, tokens: { token, refreshToken } }: StartAnswer): Session {
    const session = { contactId, conversationId, token, refreshToken }
    this.storage.write('', session)
    return session
  }
}
