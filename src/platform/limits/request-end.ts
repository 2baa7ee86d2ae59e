import type { ServerResponse } from 'node:http'

const REFUSED = Symbol('refused')

/** Calls back once a request needs nothing more: it has been refused, answered, or its connection has ended. */
export function onceEnded(response: ServerResponse, ended: () => void): void {
  const end = (): void => {
    response.off('close', end).off(REFUSED, end)
    ended()
  }
  response.once('close', end).once(REFUSED, end)
}

/** Frees what a request holds whose refusal is held back. */
export function endRefused(response: ServerResponse): void {
  response.emit(REFUSED)
}
