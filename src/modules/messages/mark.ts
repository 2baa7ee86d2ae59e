import { BadUserInput, quoteValue } from '../../platform/errors.js'

/** A state of a conversation that a client saw. */
export interface Mark {
  /** Position of the last message. */
  position: number
  turn: number
  /** End of the conversation's id: a mark of another conversation is a mistake, not news. */
  of: string
  /** Path of the input that names it. */
  field: string
}

/** The turn that consumers are shown: they have no mark, since what they write is never held. */
export const NO_TURN = -1

export const MARK =
  'Names what has happened so far; opaque. Given back as `mark` of a message, a hand-over or a leaving, it holds what was ' +
  'written without knowing what others have done since. Null for a guest, whose messages are never held.'

const SYNTAX = /^(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})\.([0-9a-f]{6})$/
const INT_MAX = 2_147_483_647

/** Returns the mark of a state, opaque for clients; null for consumers. */
export function markOf(state: { id: string; messageCount: number; turn: number }): string | null {
  return state.turn === NO_TURN ? null : `${state.messageCount}.${state.turn}.${endOf(state.id)}`
}

/** @throws BadUserInput for what no server has given out */
export function parseMark(value: unknown, field: string): Mark {
  const [, position, turn, of] = (typeof value === 'string' && SYNTAX.exec(value)) || []
  const mark = { position: Number(position), turn: Number(turn), of: of ?? '', field }
  if (of !== undefined && Math.max(mark.position, mark.turn) <= INT_MAX) return mark
  throw new BadUserInput(
    field,
    `${field} must be the mark of a conversation, as it was given, not ${quoteValue(value)}`,
  )
}

export const isMarkOf = ({ of }: Mark, conversation: string): boolean => of === endOf(conversation)

/** Random, since ids are UUIDv7. */
const endOf = (id: string): string => id.slice(-6)
